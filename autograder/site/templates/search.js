"use strict";
// Search the places of `index.js`, each [page, heading, address, text]: all words must occur; headings count more than text.
{
  const MOST = 50; // places shown
  const AROUND = 70; // characters on either side of the first word
  const fold = (text) => text.normalize("NFC").toLowerCase();
  const places = window.PLACES.map(([page, heading, address, text]) => ({
    page, heading, address, text, head: fold(`${heading} ${page}`), body: fold(text),
  }));
  const box = document.getElementById("words");
  document.getElementById("needs").remove();
  const list = document.getElementById("found");
  const count = document.getElementById("count");

  const score = (place, words) => {
    let sum = 0;
    for (const word of words) {
      const inHead = place.head.includes(word);
      const times = place.body.split(word).length - 1;
      if (!inHead && !times) return 0;
      sum += (inHead ? 20 : 0) + (fold(place.heading) === word ? 40 : 0) + Math.min(times, 10);
    }
    return sum;
  };

  // The text around the first word, in which every word is marked; as text, never as HTML.
  const excerpt = (place, words) => {
    const at = Math.max(0, Math.min(...words.map((word) => place.body.indexOf(word)).filter((n) => n >= 0), place.body.length));
    const from = Math.max(0, at - AROUND);
    const part = place.text.slice(from, at + 2 * AROUND);
    const line = document.createElement("p");
    let rest = (from ? "…" : "") + part + (at + 2 * AROUND < place.text.length ? "…" : "");
    while (rest) {
      const hits = words.map((word) => [fold(rest).indexOf(word), word]).filter(([n]) => n >= 0).sort((a, b) => a[0] - b[0]);
      if (!hits.length) break;
      const [n, word] = hits[0];
      const mark = document.createElement("mark");
      mark.textContent = rest.slice(n, n + word.length);
      line.append(rest.slice(0, n), mark);
      rest = rest.slice(n + word.length);
    }
    line.append(rest);
    return line;
  };

  const show = () => {
    const words = fold(box.value).split(/\s+/).filter(Boolean);
    const hits = words.length
      ? places.map((place) => [score(place, words), place]).filter(([sum]) => sum).sort((a, b) => b[0] - a[0])
      : [];
    list.replaceChildren(...hits.slice(0, MOST).map(([, place]) => {
      const item = document.createElement("li");
      const link = document.createElement("a");
      link.href = place.address;
      link.textContent = place.heading ? `${place.page}: ${place.heading}` : place.page;
      item.append(link, excerpt(place, words));
      return item;
    }));
    const { none, one, many, first } = count.dataset;
    const says = hits.length > MOST ? first : hits.length > 1 ? many : hits.length ? one : none;
    count.textContent = words.length ? says.replace("{}", hits.length).replace("{}", MOST) : "";
  };

  document.getElementById("search").addEventListener("submit", (event) => event.preventDefault());
  box.addEventListener("input", show);
  box.value = new URLSearchParams(location.search).get("q") ?? "";
  box.focus();
  show();
}
