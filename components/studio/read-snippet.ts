import type { Config } from '#components/studio/config';
import { isObject } from '#lib/is-object';

/** Settings from an external source: a config, and its architecture when it is known. */
export interface Settings {
  architecture?: string;
  config: Config;
}

/** Parses pasted text: a curl command, a JSON body, or a file's settings. Throws errors with messages for users. */
export function readSnippet(text: string): Settings {
  const trimmed = text.trim();
  if (/^\$?\s*curl\s/.test(trimmed)) return readCurl(trimmed);
  return toSettings(parseJson(trimmed, 'This is neither a curl command nor JSON.'));
}

/** Accepts both shapes: a generate body, and `{architecture, model_id, seed, prompt, settings}` as files carry it. */
export function toSettings(json: Record<string, unknown>): Settings {
  const { architecture, settings, generator: _generator, config, ...rest } = json;
  const nested = isObject(settings) ? settings : isObject(config) ? config : {};
  return {
    ...(typeof architecture === 'string' && { architecture }),
    config: { ...nested, ...(isObject(config) ? {} : rest) },
  };
}

function parseJson(text: string, complaint: string): Record<string, unknown> {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw new Error(complaint, { cause: error });
  }
  if (!isObject(json)) throw new Error('The JSON must be an object: a config such as {"prompt": "a fig"}.');
  return json;
}

/** An option that carries the body, which may follow in the same word. */
const DATA = /^(?:--(?:data(?:-raw|-binary|-ascii)?|json)(?:=|$)|-d)/;

function readCurl(command: string): Settings {
  const words = splitWords(command);
  const architecture = words.map(word => /\/v1\/([^/?]+)\/(?:generate|estimate)/.exec(word)?.[1]).find(Boolean);
  const at = words.findIndex(word => DATA.test(word));
  const data = words[at]?.replace(DATA, '') || (at < 0 ? words.find(word => word.startsWith('{')) : words[at + 1]);
  if (!data) throw new Error('This curl command has no body: it needs -d with a JSON config.');
  return {
    ...toSettings(parseJson(data, 'The body of this curl command is not JSON.')),
    ...(architecture && { architecture }),
  };
}

/** Splits a shell command into words, with quotes, escapes and continued lines. */
function splitWords(command: string): string[] {
  const words: string[] = [];
  let word = '';
  let isOpen = false;
  for (let at = 0; at < command.length; at++) {
    const char = command[at] ?? '';
    if (char === '$' && command[at + 1] === "'") {
      const start = at + 2;
      for (at = start; at < command.length && command[at] !== "'"; at++) if (command[at] === '\\') at++;
      word += unescaped(command.slice(start, at));
      isOpen = true;
    } else if (char === "'") {
      const end = command.indexOf("'", at + 1);
      word += command.slice(at + 1, end < 0 ? undefined : end);
      at = end < 0 ? command.length : end;
      isOpen = true;
    } else if (char === '"') {
      for (at++; at < command.length && command[at] !== '"'; at++) {
        if (command[at] === '\\' && /["\\$`]/.test(command[at + 1] ?? '')) at++;
        word += command[at];
      }
      isOpen = true;
    } else if (char === '\\') {
      at++;
      if (command[at] !== '\n') word += command[at] ?? '';
    } else if (/\s/.test(char)) {
      if (word || isOpen) words.push(word);
      word = '';
      isOpen = false;
    } else word += char;
  }
  return word || isOpen ? [...words, word] : words;
}

const CONTROLS: Record<string, string> = { n: '\n', r: '\r', t: '\t' };

/** Decodes the inside of `$'…'`, as which browsers copy a body with quotes or control characters. */
const unescaped = (quoted: string): string =>
  quoted.replaceAll(
    /\\(?:u([\da-f]{4})|x([\da-f]{2})|([^]))/gi,
    (_, unicode?: string, byte?: string, char = '') =>
      CONTROLS[char] ?? (char || String.fromCharCode(parseInt(unicode ?? byte ?? '', 16))),
  );
