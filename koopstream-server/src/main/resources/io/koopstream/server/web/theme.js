// Light or dark: as the system says, unless the reader chose here. A classic script, so that it runs before the first paint.
(() => {
  const kept = (() => {
    try {
      return localStorage.getItem("koop-theme");
    } catch {
      return null; // storage may be forbidden; the page works without it
    }
  })();
  if (kept === "light" || kept === "dark") {
    document.documentElement.dataset.theme = kept;
  }
})();
