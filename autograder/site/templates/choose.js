"use strict";
// Go on in the first of the reader's languages that there is, else in the first of the course.
{
  const links = [...document.querySelectorAll("a[hreflang]")];
  const wanted = navigator.languages.map((language) => language.slice(0, 2));
  const language = wanted.find((one) => links.some((link) => link.hreflang === one));
  location.replace((links.find((link) => link.hreflang === language) ?? links[0]).href);
}
