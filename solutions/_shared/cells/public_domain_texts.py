# Texts in the public domain: their authors have been dead for more than 70 years. Nothing needs a download.
# ko: # 저작권이 소멸한 글입니다. 지은이가 세상을 떠난 지 70년이 넘었습니다. 내려받을 것은 없습니다.
# English: Lewis Carroll (1832-1898), Alice's Adventures in Wonderland, 1865, the whole of chapter I.
# ko: # 영어: 루이스 캐럴(1832-1898), 『이상한 나라의 앨리스』, 1865년, 1장 전체.
# Korean poems, whole, spelt as they are today: Kim Sowol (1902-1934), Han Yongun (1879-1944), Yi Yuksa (1904-1944),
# ko: # 한국어: 시 전문, 오늘날의 맞춤법. 김소월(1902-1934), 한용운(1879-1944), 이육사(1904-1944),
# Yun Dongju (1917-1945).
# ko: # 윤동주(1917-1945).
# Yun Dongju: 서시 (1941), 별 헤는 밤 (1941), 자화상 (1939), 새로운 길 (1938), 쉽게 씌어진 시 (1942).
# ko: # 윤동주: 서시 (1941), 별 헤는 밤 (1941), 자화상 (1939), 새로운 길 (1938), 쉽게 씌어진 시 (1942).
# Kim Sowol: 진달래꽃 (1925), 산유화 (1925), 엄마야 누나야 (1922), 먼 후일 (1920).
# ko: # 김소월: 진달래꽃 (1925), 산유화 (1925), 엄마야 누나야 (1922), 먼 후일 (1920).
# Han Yongun: 님의 침묵 (1926), 나룻배와 행인 (1926).
# ko: # 한용운: 님의 침묵 (1926), 나룻배와 행인 (1926).
# Yi Yuksa: 청포도 (1939).
# ko: # 이육사: 청포도 (1939).
ENGLISH_TEXT = """\
Alice was beginning to get very tired of sitting by her sister on the bank, and of having nothing to do: once or twice
she had peeped into the book her sister was reading, but it had no pictures or conversations in it, 'and what is the
use of a book,' thought Alice 'without pictures or conversations?'

So she was considering in her own mind (as well as she could, for the hot day made her feel very sleepy and stupid),
whether the pleasure of making a daisy-chain would be worth the trouble of getting up and picking the daisies, when
suddenly a White Rabbit with pink eyes ran close by her.

There was nothing so very remarkable in that; nor did Alice think it so very much out of the way to hear the Rabbit
say to itself, 'Oh dear! Oh dear! I shall be late!' (when she thought it over afterwards, it occurred to her that she
ought to have wondered at this, but at the time it all seemed quite natural); but when the Rabbit actually took a
watch out of its waistcoat-pocket, and looked at it, and then hurried on, Alice started to her feet, for it flashed
across her mind that she had never before seen a rabbit with either a waistcoat-pocket, or a watch to take out of it,
and burning with curiosity, she ran across the field after it, and fortunately was just in time to see it pop down a
large rabbit-hole under the hedge.

In another moment down went Alice after it, never once considering how in the world she was to get out again.

The rabbit-hole went straight on like a tunnel for some way, and then dipped suddenly down, so suddenly that Alice had
not a moment to think about stopping herself before she found herself falling down a very deep well.

Either the well was very deep, or she fell very slowly, for she had plenty of time as she went down to look about her
and to wonder what was going to happen next. First, she tried to look down and make out what she was coming to, but it
was too dark to see anything; then she looked at the sides of the well, and noticed that they were filled with
cupboards and book-shelves; here and there she saw maps and pictures hung upon pegs. She took down a jar from one of
the shelves as she passed; it was labelled 'ORANGE MARMALADE', but to her great disappointment it was empty: she did
not like to drop the jar for fear of killing somebody, so managed to put it into one of the cupboards as she fell past
it.

'Well!' thought Alice to herself, 'after such a fall as this, I shall think nothing of tumbling down stairs! How brave
they'll all think me at home! Why, I wouldn't say anything about it, even if I fell off the top of the house!' (Which
was very likely true.)

Down, down, down. Would the fall never come to an end! 'I wonder how many miles I've fallen by this time?' she said
aloud. 'I must be getting somewhere near the centre of the earth. Let me see: that would be four thousand miles down,
I think -' (for, you see, Alice had learnt several things of this sort in her lessons in the schoolroom, and though
this was not a very good opportunity for showing off her knowledge, as there was no one to listen to her, still it was
good practice to say it over) '- yes, that's about the right distance - but then I wonder what Latitude or Longitude
I've got to?' (Alice had no idea what Latitude was, or Longitude either, but thought they were nice grand words to
say.)

Presently she began again. 'I wonder if I shall fall right through the earth! How funny it'll seem to come out among
the people that walk with their heads downward! The Antipathies, I think -' (she was rather glad there was no one
listening, this time, as it didn't sound at all the right word) ' - but I shall have to ask them what the name of the
country is, you know. Please, Ma'am, is this New Zealand or Australia?' (and she tried to curtsey as she spoke - fancy
curtseying as you're falling through the air! Do you think you could manage it?) 'And what an ignorant little girl
she'll think me for asking! No, it'll never do to ask: perhaps I shall see it written up somewhere.'

Down, down, down. There was nothing else to do, so Alice soon began talking again. 'Dinah'll miss me very much
to-night, I should think!' (Dinah was the cat.) 'I hope they'll remember her saucer of milk at tea-time. Dinah my
dear! I wish you were down here with me! There are no mice in the air, I'm afraid, but you might catch a bat, and
that's very like a mouse, you know. But do cats eat bats, I wonder?' And here Alice began to get rather sleepy, and
went on saying to herself, in a dreamy sort of way, 'Do cats eat bats? Do cats eat bats?' and sometimes, 'Do bats eat
cats?' for, you see, as she couldn't answer either question, it didn't much matter which way she put it. She felt that
she was dozing off, and had just begun to dream that she was walking hand in hand with Dinah, and saying to her very
earnestly, 'Now, Dinah, tell me the truth: did you ever eat a bat?' when suddenly, thump! thump! down she came upon a
heap of sticks and dry leaves, and the fall was over.

Alice was not a bit hurt, and she jumped up on to her feet in a moment: she looked up, but it was all dark overhead;
before her was another long passage, and the White Rabbit was still in sight, hurrying down it. There was not a moment
to be lost: away went Alice like the wind, and was just in time to hear it say, as it turned a corner, 'Oh my ears and
whiskers, how late it's getting!' She was close behind it when she turned the corner, but the Rabbit was no longer to
be seen: she found herself in a long, low hall, which was lit up by a row of lamps hanging from the roof.

There were doors all round the hall, but they were all locked; and when Alice had been all the way down one side and
up the other, trying every door, she walked sadly down the middle, wondering how she was ever to get out again.

Suddenly she came upon a little three-legged table, all made of solid glass; there was nothing on it except a tiny
golden key, and Alice's first thought was that it might belong to one of the doors of the hall; but, alas! either the
locks were too large, or the key was too small, but at any rate it would not open any of them. However, on the second
time round, she came upon a low curtain she had not noticed before, and behind it was a little door about fifteen
inches high: she tried the little golden key in the lock, and to her great delight it fitted!

Alice opened the door and found that it led into a small passage, not much larger than a rat-hole: she knelt down and
looked along the passage into the loveliest garden you ever saw. How she longed to get out of that dark hall, and
wander about among those beds of bright flowers and those cool fountains, but she could not even get her head through
the doorway; 'and even if my head would go through,' thought poor Alice, 'it would be of very little use without my
shoulders. Oh, how I wish I could shut up like a telescope! I think I could, if I only knew how to begin.' For, you
see, so many out-of-the-way things had happened lately, that Alice had begun to think that very few things indeed were
really impossible.

There seemed to be no use in waiting by the little door, so she went back to the table, half hoping she might find
another key on it, or at any rate a book of rules for shutting people up like telescopes: this time she found a little
bottle on it, ('which certainly was not here before,' said Alice,) and round the neck of the bottle was a paper label,
with the words 'DRINK ME' beautifully printed on it in large letters.

It was all very well to say 'Drink me,' but the wise little Alice was not going to do that in a hurry. 'No, I'll look
first,' she said, 'and see whether it's marked "poison" or not'; for she had read several nice little histories about
children who had got burnt, and eaten up by wild beasts and other unpleasant things, all because they would not
remember the simple rules their friends had taught them: such as, that a red-hot poker will burn you if you hold it
too long; and that if you cut your finger very deeply with a knife, it usually bleeds; and she had never forgotten
that, if you drink much from a bottle marked 'poison,' it is almost certain to disagree with you, sooner or later.

However, this bottle was not marked 'poison,' so Alice ventured to taste it, and finding it very nice, (it had, in
fact, a sort of mixed flavour of cherry-tart, custard, pine-apple, roast turkey, toffee, and hot buttered toast,) she
very soon finished it off.

'What a curious feeling!' said Alice; 'I must be shutting up like a telescope.'

And so it was indeed: she was now only ten inches high, and her face brightened up at the thought that she was now the
right size for going through the little door into that lovely garden. First, however, she waited for a few minutes to
see if she was going to shrink any further: she felt a little nervous about this; 'for it might end, you know,' said
Alice to herself, 'in my going out altogether, like a candle. I wonder what I should be like then?' And she tried to
fancy what the flame of a candle is like after the candle is blown out, for she could not remember ever having seen
such a thing.

After a while, finding that nothing more happened, she decided on going into the garden at once; but, alas for poor
Alice! when she got to the door, she found she had forgotten the little golden key, and when she went back to the
table for it, she found she could not possibly reach it: she could see it quite plainly through the glass, and she
tried her best to climb up one of the legs of the table, but it was too slippery; and when she had tired herself out
with trying, the poor little thing sat down and cried.

'Come, there's no use in crying like that!' said Alice to herself, rather sharply; 'I advise you to leave off this
minute!' She generally gave herself very good advice, (though she very seldom followed it), and sometimes she scolded
herself so severely as to bring tears into her eyes; and once she remembered trying to box her own ears for having
cheated herself in a game of croquet she was playing against herself, for this curious child was very fond of
pretending to be two people. 'But it's no use now,' thought poor Alice, 'to pretend to be two people! Why, there's
hardly enough of me left to make one respectable person!'

Soon her eye fell on a little glass box that was lying under the table: she opened it, and found in it a very small
cake, on which the words 'EAT ME' were beautifully marked in currants. 'Well, I'll eat it,' said Alice, 'and if it
makes me grow larger, I can reach the key; and if it makes me grow smaller, I can creep under the door; so either way
I'll get into the garden, and I don't care which happens!'

She ate a little bit, and said anxiously to herself, 'Which way? Which way?', holding her hand on the top of her head
to feel which way it was growing, and she was quite surprised to find that she remained the same size: to be sure,
this generally happens when one eats cake, but Alice had got so much into the way of expecting nothing but
out-of-the-way things to happen, that it seemed quite dull and stupid for life to go on in the common way.

So she set to work, and very soon finished off the cake.
"""

KOREAN_TEXT = """\
서시

죽는 날까지 하늘을 우러러
한 점 부끄럼이 없기를,
잎새에 이는 바람에도
나는 괴로워했다.
별을 노래하는 마음으로
모든 죽어 가는 것을 사랑해야지
그리고 나한테 주어진 길을
걸어가야겠다.

오늘 밤에도 별이 바람에 스치운다.


별 헤는 밤

계절이 지나가는 하늘에는
가을로 가득 차 있습니다.

나는 아무 걱정도 없이
가을 속의 별들을 다 헤일 듯합니다.

가슴 속에 하나 둘 새겨지는 별을
이제 다 못 헤는 것은
쉬이 아침이 오는 까닭이요,
내일 밤이 남은 까닭이요,
아직 나의 청춘이 다하지 않은 까닭입니다.

별 하나에 추억과
별 하나에 사랑과
별 하나에 쓸쓸함과
별 하나에 동경과
별 하나에 시와
별 하나에 어머니, 어머니,

어머님, 나는 별 하나에 아름다운 말 한마디씩 불러 봅니다.
소학교 때 책상을 같이 했던 아이들의 이름과,
패, 경, 옥, 이런 이국 소녀들의 이름과,
벌써 아기 어머니 된 계집애들의 이름과,
가난한 이웃 사람들의 이름과,
비둘기, 강아지, 토끼, 노새, 노루,
프랑시스 잠, 라이너 마리아 릴케, 이런 시인의 이름을 불러 봅니다.

이네들은 너무나 멀리 있습니다.
별이 아스라이 멀듯이.

어머님,
그리고 당신은 멀리 북간도에 계십니다.

나는 무엇인지 그리워
이 많은 별빛이 내린 언덕 위에
내 이름자를 써 보고,
흙으로 덮어 버리었습니다.

딴은 밤을 새워 우는 벌레는
부끄러운 이름을 슬퍼하는 까닭입니다.

그러나 겨울이 지나고 나의 별에도 봄이 오면
무덤 위에 파란 잔디가 피어나듯이
내 이름자 묻힌 언덕 위에도
자랑처럼 풀이 무성할 거외다.


자화상

산모퉁이를 돌아 논가 외딴 우물을 홀로 찾아가선 가만히 들여다봅니다.

우물 속에는 달이 밝고 구름이 흐르고 하늘이 펼치고 파아란 바람이 불고 가을이 있습니다.

그리고 한 사나이가 있습니다.
어쩐지 그 사나이가 미워져 돌아갑니다.

돌아가다 생각하니 그 사나이가 가엾어집니다.
도로 가 들여다보니 사나이는 그대로 있습니다.

다시 그 사나이가 미워져 돌아갑니다.
돌아가다 생각하니 그 사나이가 그리워집니다.

우물 속에는 달이 밝고 구름이 흐르고 하늘이 펼치고 파아란 바람이 불고 가을이 있고 추억처럼 사나이가 있습니다.


새로운 길

내를 건너서 숲으로
고개를 넘어서 마을로

어제도 가고 오늘도 갈
나의 길 새로운 길

민들레가 피고 까치가 날고
아가씨가 지나고 바람이 일고

나의 길은 언제나 새로운 길
오늘도...... 내일도......

내를 건너서 숲으로
고개를 넘어서 마을로


쉽게 씌어진 시

창밖에 밤비가 속살거려
육첩방은 남의 나라,

시인이란 슬픈 천명인 줄 알면서도
한 줄 시를 적어 볼까,

땀내와 사랑내 포근히 품긴
보내 주신 학비 봉투를 받아

대학 노트를 끼고
늙은 교수의 강의 들으러 간다.

생각해 보면 어린 때 동무를
하나, 둘, 죄다 잃어버리고

나는 무얼 바라
나는 다만, 홀로 침전하는 것일까?

인생은 살기 어렵다는데
시가 이렇게 쉽게 씌어지는 것은
부끄러운 일이다.

육첩방은 남의 나라
창밖에 밤비가 속살거리는데,

등불을 밝혀 어둠을 조금 내몰고,
시대처럼 올 아침을 기다리는 최후의 나,

나는 나에게 작은 손을 내밀어
눈물과 위안으로 잡는 최초의 악수.


진달래꽃

나 보기가 역겨워
가실 때에는
말없이 고이 보내 드리우리다

영변에 약산
진달래꽃
아름 따다 가실 길에 뿌리우리다

가시는 걸음걸음
놓인 그 꽃을
사뿐히 즈려밟고 가시옵소서

나 보기가 역겨워
가실 때에는
죽어도 아니 눈물 흘리우리다


산유화

산에는 꽃 피네
꽃이 피네
갈 봄 여름 없이
꽃이 피네

산에
산에
피는 꽃은
저만치 혼자서 피어 있네

산에서 우는 작은 새여
꽃이 좋아
산에서
사노라네

산에는 꽃 지네
꽃이 지네
갈 봄 여름 없이
꽃이 지네


엄마야 누나야

엄마야 누나야 강변 살자,
뜰에는 반짝이는 금모래빛,
뒷문 밖에는 갈잎의 노래,
엄마야 누나야 강변 살자.


먼 후일

먼 훗날 당신이 찾으시면
그때에 내 말이 "잊었노라"

당신이 속으로 나무라면
"무척 그리다가 잊었노라"

그래도 당신이 나무라면
"믿기지 않아서 잊었노라"

오늘도 어제도 아니 잊고
먼 훗날 그때에 "잊었노라"


님의 침묵

님은 갔습니다. 아아, 사랑하는 나의 님은 갔습니다.
푸른 산빛을 깨치고 단풍나무 숲을 향하여 난 작은 길을 걸어서 차마 떨치고 갔습니다.
황금의 꽃같이 굳고 빛나던 옛 맹세는 차디찬 티끌이 되어서 한숨의 미풍에 날아갔습니다.
날카로운 첫 키스의 추억은 나의 운명의 지침을 돌려놓고 뒷걸음쳐서 사라졌습니다.
나는 향기로운 님의 말소리에 귀먹고 꽃다운 님의 얼굴에 눈멀었습니다.
사랑도 사람의 일이라 만날 때에 미리 떠날 것을 염려하고 경계하지 아니한 것은 아니지만, 이별은 뜻밖의 일이 되고 놀란 가슴은 새로운 슬픔에 터집니다.
그러나 이별을 쓸데없는 눈물의 원천을 만들고 마는 것은 스스로 사랑을 깨치는 것인 줄 아는 까닭에, 걷잡을 수 없는 슬픔의 힘을 옮겨서 새 희망의 정수박이에 들어부었습니다.
우리는 만날 때에 떠날 것을 염려하는 것과 같이 떠날 때에 다시 만날 것을 믿습니다.
아아, 님은 갔지마는 나는 님을 보내지 아니하였습니다.
제 곡조를 못 이기는 사랑의 노래는 님의 침묵을 휩싸고 돕니다.


나룻배와 행인

나는 나룻배
당신은 행인.

당신은 흙발로 나를 짓밟습니다.
나는 당신을 안고 물을 건너갑니다.
나는 당신을 안으면 깊으나 얕으나 급한 여울이나 건너갑니다.

만일 당신이 아니 오시면 나는 바람을 쐬고 눈비를 맞으며 밤에서 낮까지 당신을 기다리고 있습니다.
당신은 물만 건너면 나를 돌아보지도 않고 가십니다그려.
그러나 당신이 언제든지 오실 줄만은 알아요.
나는 당신을 기다리면서 날마다 날마다 낡아 갑니다.

나는 나룻배
당신은 행인.


청포도

내 고장 칠월은
청포도가 익어 가는 시절.

이 마을 전설이 주저리주저리 열리고
먼 데 하늘이 꿈꾸며 알알이 들어와 박혀,

하늘 밑 푸른 바다가 가슴을 열고
흰 돛 단 배가 곱게 밀려서 오면,

내가 바라는 손님은 고달픈 몸으로
청포를 입고 찾아온다고 했으니,

내 그를 맞아 이 포도를 따 먹으면
두 손은 함뿍 적셔도 좋으련,

아이야, 우리 식탁엔 은쟁반에
하이얀 모시 수건을 마련해 두렴.
"""

# A single line break inside of an English paragraph is no more than the end of a printed line.
# ko: # 영어 문단 안에서 줄이 바뀐 곳은 인쇄한 줄의 끝일 뿐입니다.
ENGLISH_TEXT = re.sub(r"(?<!\n)\n(?!\n|\Z)", " ", ENGLISH_TEXT).replace("\n\n", "\n")
