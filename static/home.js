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

// The back button may bring this page back as it was left.
window.addEventListener("pageshow", () => {
  for (const form of document.forms) delete form.dataset.sent;
});
