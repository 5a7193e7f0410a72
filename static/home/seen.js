// Says below the field how the program will read its content, by the server's rules (retrieval/text/sentences.py).
const field = document.getElementById("claim");
const seen = document.getElementById("seen");
const rules = JSON.parse(seen?.dataset.rules ?? "{}");
const STOP = /(?<![.!?…])([.!?…]+)["'”’»)\]]*\s+(?=\S)|[。！？｡]+[」』”’）]*\s*/gu;
const NEXT_WORD = /^["'“‘«(\[¿¡]*([\p{L}\p{M}\p{N}_'’]*)(\.?)/u;
const LAST_WORD = /[\p{L}\p{M}\p{N}_.&'’-]*$/u;
const FOUND_FIRST = "its claims are found first, and you choose which are checked.";
const NOTES = {
  claim: "This looks like one claim. It is checked as it stands.",
  question: "This looks like a question. If yes or no answers it, the statement in it is checked; otherwise it is only searched, without a verdict.",
  text: `This looks like a text of several sentences: ${FOUND_FIRST}`,
  long: `This is longer than a claim may be, so it is read as a text: ${FOUND_FIRST}`,
  address: `This is the address of a page. The page is fetched, then ${FOUND_FIRST}`,
  endless: `This is longer than a text may be (${Number(seen?.dataset.longestText).toLocaleString("en")} characters). Send it in parts, or as a file.`,
  off: "This is the address of a page, and this server does not read the open web. Paste the page's text instead.",
};

const whole = (pattern, word) => new RegExp(`^(?:${pattern})$`, "u").test(word);

// Whether the sentence that begins at `start` ends with the matched punctuation.
function ends(text, start, stop) {
  if (stop[1] === undefined) return true;
  const [, next, dot] = NEXT_WORD.exec(text.slice(stop.index + stop[0].length));
  if (/^\p{Ll}/u.test(next)) return false;
  if (stop[1] !== ".") return true;
  const before = text.slice(Math.max(start, stop.index - 40), stop.index).trimStart();
  const word = LAST_WORD.exec(before)[0].toLowerCase();
  if (whole(rules.before_name, word) || (/^\d+$/.test(word) && word === before)) return false;
  if (whole(rules.before_number, word) && /^\d/.test(next)) return false;
  if (whole(rules.perhaps, word)) return whole(rules.begins, next.toLowerCase()) && !dot;
  return true;
}

function sentences(text) {
  const found = [];
  for (const paragraph of text.split("\n")) {
    let start = 0;
    for (const stop of paragraph.matchAll(STOP)) {
      if (!ends(paragraph, start, stop)) continue;
      found.push(paragraph.slice(start, stop.index + stop[0].length));
      start = stop.index + stop[0].length;
    }
    found.push(paragraph.slice(start));
  }
  return found;
}

function kind(typed) {
  const words = typed.split(/\s+/).filter(Boolean);
  if (!words.length) return "";
  if (words.length === 1 && /^https?:\/\/./i.test(words[0])) return seen.dataset.web === "on" ? "address" : "off";
  const characters = Array.from(typed.trim()).length;
  if (characters > Number(seen.dataset.longestText)) return "endless";
  if (characters > Number(seen.dataset.longest)) return "long";
  const whole = sentences(typed).filter((one) => one.split(/\s+/).filter(Boolean).length >= Number(seen.dataset.fewest));
  if (whole.length > 1) return "text";
  return /[?？]["'”’»)]*\s*$/.test(typed) ? "question" : "claim";
}

let asked = 0;

// Ask the server how it would read the claim (an opinion, a fragment, another language). This starts no check.
async function read(typed) {
  const turn = ++asked;
  try {
    const response = await fetch(seen.dataset.reads, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ claim: typed }),
    });
    const found = response.ok ? await response.json() : {};
    if (turn === asked && found.note && field.value === typed) seen.textContent = found.note;
  } catch {
    // Keep the present note.
  }
}

function say() {
  const found = kind(field.value);
  if (seen.dataset.kind !== found) {
    seen.dataset.kind = found;
    seen.textContent = NOTES[found] ?? "";
  } else if (found === "claim" || found === "question") {
    seen.textContent = NOTES[found];
  }
  asked += 1;
  if (seen.dataset.reads && (found === "claim" || found === "question")) read(field.value);
}

// Only after a pause: most of the time the sentence is unfinished, and a screen reader reads out each change.
let pause;
if (field && seen) {
  field.addEventListener("input", () => {
    clearTimeout(pause);
    pause = setTimeout(say, 400);
  });
  // A refusal has said already what is wrong.
  if (!document.getElementById("problem")) {
    window.addEventListener("pageshow", say);
    say();
  }
}
