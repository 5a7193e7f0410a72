// From a text to its report: counts the chosen claims of the review, and shows progress.
const reading = document.querySelector("[data-text]");
const running = document.querySelector("[data-report]");
const review = document.getElementById("review");

async function ask(address) {
  const answer = await fetch(address, { cache: "no-store", headers: { Accept: "application/json" } });
  if (!answer.ok && answer.status !== 404) throw new Error(String(answer.status));
  return answer.ok ? answer.json() : null;
}

// Polls until `show` says that the page is out of date, then reloads it.
async function follow(address, show) {
  try {
    const answer = await ask(address);
    if (answer === null || show(answer)) return location.reload();
  } catch {
    // The server cannot be reached: ask again.
  }
  setTimeout(follow, 1000, address, show);
}

if (reading) {
  follow(reading.dataset.text, (text) => {
    document.getElementById("status").textContent = `Finding the claims: ${text.read}% read.`;
    document.getElementById("progress").value = text.read;
    return text.state !== "reading";
  });
}

function inWords(seconds) {
  if (seconds === null) return "";
  if (seconds < 60) return ", less than a minute left";
  const minutes = Math.round(seconds / 60);
  return minutes < 90 ? `, about ${minutes} minute${minutes === 1 ? "" : "s"} left` : `, about ${Math.round(minutes / 60)} hours left`;
}

// Replaces the parts of this page that change while a report runs by their current versions.
async function renew() {
  const answer = await fetch(location.href, { cache: "no-store" });
  if (!answer.ok) return;
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
  for (const place of ["#found tbody", ".tally", "#marked .article"]) {
    const [old, now] = [document.querySelector(place), fresh.querySelector(place)];
    if (old && now && !old.contains(document.activeElement)) old.replaceWith(document.importNode(now, true));
  }
}

if (running) {
  let shown = Number(document.getElementById("progress").value);
  let renewed = Date.now();
  follow(running.dataset.report, (report) => {
    if (report.state !== "running") return true;
    document.getElementById("status").textContent =
      `${report.done.toLocaleString("en")} of ${report.total.toLocaleString("en")} claims checked${inWords(report.seconds_left)}.`;
    document.getElementById("progress").value = report.done;
    if (report.done !== shown && Date.now() - renewed > 2000 + 2 * report.total) {
      [shown, renewed] = [report.done, Date.now()];
      renew();
    }
    return false;
  });
}

if (review) {
  const boxes = [...review.querySelectorAll("input[name=chosen]")];
  const threshold = document.getElementById("threshold");
  const [send, tooMany] = [document.getElementById("send"), document.getElementById("too-many")];

  function count() {
    score.textContent = Number(threshold.value).toFixed(2);
    const many = boxes.filter((box) => box.checked).length;
    send.textContent = `Check ${many.toLocaleString("en")} claim${many === 1 ? "" : "s"}`;
    send.disabled = many === 0;
    document.getElementById("chosen-count").textContent =
      `${many.toLocaleString("en")} of ${boxes.length.toLocaleString("en")} chosen`;
    const over = many - Number(review.dataset.most);
    tooMany.querySelector("b").textContent = Math.max(0, over).toLocaleString("en");
    tooMany.hidden = over <= 0;
  }

  // Reports a claim that is too long at once, and does not send it while it is ticked. Counts code points, as the server does.
  const longest = Number(review.dataset.longest);
  const number = (many) => many.toLocaleString("en");
  const rows = [...review.querySelectorAll(".sentences .row")];
  const serverFaults = new Map(rows.map((row) => [row, row.querySelector(".unverified")?.textContent ?? ""]));

  function measure(row) {
    const [box, field] = [row.querySelector("input[name=chosen]"), row.querySelector("textarea")];
    const many = Array.from((field.value.trim() || field.defaultValue).replace(/\s+/g, " ").trim()).length;
    const fault = many > longest
      ? `The claim has ${number(many)} characters; at most ${number(longest)} are read. Shorten it to one sentence.`
      : field.value === field.defaultValue ? serverFaults.get(row) : "";
    let remark = document.getElementById(`fault-${box.value}`);
    if (fault && !remark) {
      remark = document.createElement("span");
      remark.id = `fault-${box.value}`;
      remark.className = "remark unverified";
      field.closest("details").before(remark);
      field.setAttribute("aria-describedby", remark.id);
    }
    if (remark) [remark.textContent, remark.hidden] = [fault, !fault];
    box.setCustomValidity(box.checked && fault ? `${fault} Or untick it.` : "");
    if (box.checked && fault) field.closest("details").open = true;
    if (box.checked && box.closest(".fold")) box.closest(".fold").open = true; // never send a hidden claim
    const readAs = row.querySelector(".read-as span");
    if (readAs) readAs.textContent = field.value;
  }

  rows.forEach(measure);
  for (const event of ["input", "change"]) {
    review.addEventListener(event, ({ target }) => target.closest(".sentences .row") && measure(target.closest(".sentences .row")));
  }

  threshold.type = "range";
  const score = document.createElement("span"); // beside the slider; a screen reader reads out the slider's own value
  score.className = "meta tied";
  score.setAttribute("aria-hidden", "true");
  threshold.after(score);
  document.getElementById("choose-anew").remove();  // hidden, Enter would still press it
  threshold.addEventListener("input", () => {
    for (const box of boxes) {
      if (box.dataset.score) box.checked = Number(box.dataset.score) >= Number(threshold.value);
    }
    rows.forEach(measure);
    count();
  });
  threshold.addEventListener("keydown", (event) => event.key === "Enter" && event.preventDefault());
  review.addEventListener("change", count);
  count();
}

for (const form of document.forms) {
  form.addEventListener("submit", (event) => {
    if (form.method !== "post") return;
    if (form.dataset.sent) event.preventDefault();
    form.dataset.sent = "yes";
  });
}
window.addEventListener("pageshow", () => {
  for (const form of document.forms) delete form.dataset.sent;
});
