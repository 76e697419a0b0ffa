import { UnusableMedia } from '#lib/media/unusable-media';

/** Returns the bytes of a data URL, base64 or percent-encoded. Its media type is ignored; the bytes decide the type. */
export function parseDataUrl(text: string, maxBytes: number): Buffer {
  const comma = text.indexOf(',');
  if (!/^data:/i.test(text) || comma < 0 || comma > 200) throw malformed();
  const data = text.slice(comma + 1);
  const bytes = /; *base64$/i.test(text.slice(0, comma)) ? fromBase64(data) : fromPercent(data);
  if (!bytes.length) throw new UnusableMedia('The data URL is empty.');
  if (bytes.length > maxBytes)
    throw new UnusableMedia(`The data URL holds more than ${maxBytes} bytes. Send the file through POST /v1/uploads.`);
  return bytes;
}

/** Decodes base64 as `fetch` does: padding is optional, and percent escapes and line breaks are allowed. */
function fromBase64(data: string): Buffer {
  try {
    return Buffer.from(atob(unescaped(data)), 'latin1');
  } catch {
    throw malformed();
  }
}

function fromPercent(data: string): Buffer {
  if (!/^(?:[\x21-\x24\x26-\x7e]|%[0-9A-Fa-f]{2})*$/.test(data)) throw malformed();
  return Buffer.from(unescaped(data), 'latin1');
}

const unescaped = (data: string): string =>
  data.replace(/%([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));

const malformed = () =>
  new UnusableMedia('The data URL is malformed; it must read data:<type>;base64,<data>, with the whole of the data.');
