// Enter sends the claim (it is one sentence); a second click does not send it twice.
const field = document.getElementById("claim");

field.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
    event.preventDefault();
    field.form.requestSubmit();
  }
});

// One of a file and what is typed would be ignored, so the browser sends neither until one of them is gone.
const file = document.getElementById("file");
const noFile = document.getElementById("no-file");

function refuseBoth() {
  noFile.hidden = !file.files.length;
  file.setCustomValidity(field.value.trim() && file.files.length ? file.dataset.both : "");
}

field.addEventListener("input", refuseBoth);
file.addEventListener("change", refuseBoth);
noFile.addEventListener("click", () => {
  file.value = "";
  refuseBoth();
  file.focus();
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
  refuseBoth();
});
