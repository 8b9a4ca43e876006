() => {
  // Texts whose contrast with what is behind them is less than 4.5 (3 if they are large), as WCAG 2.2 AA asks,
  // and fields, buttons and links that a screen reader could not name.
  const light = (colour) => {
    const [r, g, b] = colour.map((part) => {
      const share = part / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const read = (text) => (text.match(/[\d.]+/g) || [0, 0, 0, 0]).map(Number);
  const over = (top, under) => [0, 1, 2].map((i) => top[i] * (top[3] ?? 1) + under[i] * (1 - (top[3] ?? 1)));
  const behind = (element) => {
    const grounds = [];
    for (let at = element; at; at = at.parentElement) grounds.unshift(read(getComputedStyle(at).backgroundColor));
    return grounds.reduce((under, top) => over(top, under), [255, 255, 255]);
  };
  const faint = [];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const element = texts.currentNode.parentElement;
    const said = texts.currentNode.data.trim();
    if (!said || element.closest("svg, script, style, noscript, option") || !element.getClientRects().length) continue;
    const style = getComputedStyle(element);
    const size = parseFloat(style.fontSize);
    const ground = behind(element);
    const [a, b] = [light(over(read(style.color), ground)), light(ground)].sort((x, y) => y - x);
    const least = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700) ? 3 : 4.5;
    const contrast = (a + 0.05) / (b + 0.05);
    if (contrast < least) faint.push([said.slice(0, 30), element.className, contrast]);
  }
  const nameless = [...document.querySelectorAll("input:not([type=hidden]), textarea, select, button, a[href]")]
    .filter((one) => !(one.textContent.trim() || one.getAttribute("aria-label") || one.labels?.length || one.title))
    .map((one) => one.outerHTML);
  return { faint, nameless };
}
