// Enter sends the claim (it is one sentence); a second click does not send it twice.
const field = document.getElementById("claim");

field.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
    event.preventDefault();
    field.form.requestSubmit();
  }
});

for (const form of document.forms) {
  form.addEventListener("submit", (event) => {
    if (form.dataset.sent) event.preventDefault();
    form.dataset.sent = "yes";
  });
}

// Where the corpus is missing, this page asks for it and shows itself anew; a claim half written is left in peace.
const missing = document.getElementById("problem-of-corpus");

async function look() {
  try {
    if ((await fetch(missing.dataset.ready, { cache: "no-store" })).ok) {
      missing.hidden = true;
      if (!field.value) location.reload();
      return;
    }
  } catch {
    // The application itself is away: asked again as well.
  }
  setTimeout(look, 3000);
}

if (missing) setTimeout(look, 3000);

// The back button may bring this page back as it was left.
window.addEventListener("pageshow", () => {
  for (const form of document.forms) delete form.dataset.sent;
});
