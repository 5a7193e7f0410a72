// Reloads the page when a check has advanced; draws no results itself.
const compared = document.querySelector(".compared");
const running = (compared?.dataset.running ?? "").split(" ").filter(Boolean);
const PAUSE = 700; // milliseconds
let seen = "";

async function look() {
  try {
    const answers = await Promise.all(running.map((address) => fetch(address, { cache: "no-store" })));
    const checks = await Promise.all(answers.map((answer) => answer.json()));
    const now = checks.map(({ state, stages }) => [state, (stages ?? []).filter((one) => one.state === "done").length]).join();
    if (seen && now !== seen) return location.reload();
    if (!seen && checks.some(({ state }) => !["queued", "running"].includes(state))) return location.reload();
    seen = now;
  } catch {
    // The server cannot be reached: ask again.
  }
  setTimeout(look, PAUSE);
}

if (running.length) look();
