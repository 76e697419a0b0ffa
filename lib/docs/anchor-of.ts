/** The anchor of a heading, as everybody makes it who shows Markdown. */
export const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\w -]/g, '')
    .replaceAll(' ', '-');
