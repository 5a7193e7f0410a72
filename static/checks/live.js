// Shows a running check: polls the server, draws each new state, and resumes when an unreachable server returns.
// Everything is set as text; no result is ever parsed as HTML.
const HELD = 2; // seconds that the server may hold its answer until there is news
const FIRST = 60; // least milliseconds between two requests while there is news
const SLOWEST = 1500;
const PATIENCE = 0.05; // of the time since the last news: the longer nothing changes, the less often it asks
const PAGES_SHOWN = 15;
const COLOURS = { TITLE: "title", NOUN_PHRASE: "phrase", ANSWER: "phrase" };
const article = document.querySelector("[data-check]");
const NAMES = JSON.parse(article.dataset.names);
const status = document.getElementById("status");
const gone = document.getElementById("gone");
const waiting = document.getElementById("waiting");
let pause = FIRST;
let seen = "";
let changed = performance.now();

const nameOf = (stage) => NAMES[stage.name] ?? stage.name;

function element(tag, text, className) {
  const made = document.createElement(tag);
  if (text !== undefined) made.textContent = text;
  if (className) made.className = className;
  return made;
}

function spent(milliseconds) {
  if (milliseconds >= 1000) return `${(milliseconds / 1000).toFixed(1)} s`;
  return milliseconds >= 1 ? `${milliseconds.toFixed(0)} ms` : "< 1 ms";
}

function say(text) {
  if (status.textContent.trim() !== text) status.textContent = text;
}

function describe(check) {
  if (check.state === "queued") {
    return check.waiting_before ? `Waiting: ${check.waiting_before} ahead of this one.` : "Starting.";
  }
  const running = check.stages.find((stage) => stage.state !== "done");
  return running ? `${nameOf(running)}.` : "Finishing.";
}

function drawStage(stage, detail) {
  const item = element("li", undefined, stage.state);
  item.dataset.stage = stage.name;
  item.append(element("span", nameOf(stage), "what"));
  let how = stage.state;
  if (stage.state === "done") how = spent(stage.ms ?? 0);
  if (stage.state === "running" && stage.total > 1) {
    how = `${stage.done} of ${stage.total}`;
    const progress = element("progress");
    progress.max = stage.total;
    progress.value = stage.done;
    progress.setAttribute("aria-label", nameOf(stage));
    item.append(progress);
  }
  item.append(element("span", how, "how"));
  if (detail) item.append(element("span", detail, "detail"));
  return item;
}

// The claim with its spans marked. Offsets count code points, as on the server.
function drawClaim(check) {
  const points = Array.from(check.claim);
  const marked = [];
  for (const span of [...check.spans].sort((a, b) => b.end - b.start - (a.end - a.start) || a.start - b.start)) {
    if (marked.every((other) => span.end <= other.start || other.end <= span.start)) marked.push(span);
  }
  const heading = document.getElementById("claim");
  const nodes = [];
  let position = 0;
  for (const span of marked.sort((a, b) => a.start - b.start)) {
    nodes.push(points.slice(position, span.start).join(""));
    nodes.push(element("span", points.slice(span.start, span.end).join(""), `span ${COLOURS[span.type] ?? "named"}`));
    position = span.end;
  }
  nodes.push(points.slice(position).join(""));
  heading.replaceChildren(...nodes);
}

function drawFound(id, items, draw) {
  const section = document.getElementById(id);
  section.hidden = items.length === 0;
  section.querySelector("ol, ul").replaceChildren(...items.map(draw));
}

function drawSentence(sentence) {
  const item = element("li");
  const quote = element("q", sentence.text.replaceAll("“", "‘").replaceAll("”", "’"));
  quote.dir = "auto";
  const source = element("cite");
  source.append(element("bdi", sentence.title));
  item.append(quote, " ", source);
  return item;
}

function drawName(text) {
  const item = element("li");
  item.append(element("bdi", text));
  return item;
}

// A text search may find a thousand pages, too many to list.
function drawPages(pages) {
  drawFound("found-pages", pages.slice(0, PAGES_SHOWN), (page) => drawName(page.title));
  if (pages.length > PAGES_SHOWN) {
    const more = `and ${(pages.length - PAGES_SHOWN).toLocaleString("en")} more`;
    document.querySelector("#found-pages ul").append(element("li", more, "meta"));
  }
}

function draw(check) {
  say(describe(check));
  waiting.textContent = check.waiting_for ?? "";
  waiting.hidden = !check.waiting_for;
  document.getElementById("stages").replaceChildren(
    ...check.stages.map((stage) => drawStage(stage, check.details?.[stage.name])),
  );
  document.getElementById("steps").hidden = check.stages.length === 0;
  document.getElementById("steps-done").textContent =
    `${check.stages.filter((stage) => stage.state === "done").length} of ${check.stages.length}`;
  drawClaim(check);
  document.getElementById("legend").hidden = check.spans.length === 0;
  drawFound("found-questions", [...new Set(check.questions.map((question) => question.text))], drawName);
  drawFound("found-sentences", check.sentences.slice(0, 5), drawSentence);
  drawPages(check.pages);
}

// Put the result in place of this content: it appears sooner than by loading another page.
async function showResult() {
  const answer = await fetch(article.dataset.page, { cache: "no-store" });
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
  if (!fresh.body.matches(".result")) return location.replace(article.dataset.page);
  document.title = fresh.title;
  document.body.className = fresh.body.className;
  document.getElementById("main").replaceWith(document.importNode(fresh.getElementById("main"), true));
  scrollTo(0, 0);
  document.getElementById("main").focus({ preventScroll: true });
  for (const script of fresh.querySelectorAll("script")) import(script.src);
}

async function ask() {
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), 5000);
  const began = performance.now();
  let fresh = null;
  try {
    const response = await fetch(`${article.dataset.check}?wait=${seen ? HELD : 0}`, { cache: "no-store", signal: stop.signal });
    if (response.status === 404) return location.replace(article.dataset.page);
    if (!response.ok) throw new Error(String(response.status));
    const check = await response.json();
    gone.hidden = true;
    if (check.state !== "queued" && check.state !== "running") return await showResult();
    const text = JSON.stringify([check.state, check.stages, check.waiting_before, check.waiting_for, check.details, check.sentences]);
    if (text !== seen) {
      changed = performance.now();
      fresh = check;
    }
    pause = Math.min(SLOWEST, FIRST + PATIENCE * (performance.now() - changed));
    seen = text;
  } catch {
    gone.hidden = false;
    say("");
    seen = "";
    pause = Math.min(SLOWEST, pause * 1.5);
  } finally {
    clearTimeout(timer);
  }
  setTimeout(ask, Math.max(0, pause - (performance.now() - began))); // at once if the server held its answer
  if (fresh) setTimeout(() => article.isConnected && draw(fresh)); // while the next request is under way
}

document.getElementById("cancel")?.addEventListener("submit", async (event) => {
  event.preventDefault();
  say("Cancelling.");
  try {
    const response = await fetch(article.dataset.cancel, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: "{}",
    });
    if (response.ok) location.replace(article.dataset.page);
  } catch {
    gone.hidden = false;
  }
});

ask();
