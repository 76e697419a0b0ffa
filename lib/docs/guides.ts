import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { withExampleModel } from '#lib/docs/example-model';
import { errorSections, messageSections } from '#lib/docs/reference';
import { env } from '#lib/env';

/** Guides by shelf, in reading order. Each is the file `docs/<name>.md` and the page `/docs/<name>`. */
export const SHELVES = {
  Start: ['first-request', 'waiting', 'uploads', 'characters', 'recipes', 'money', 'errors'],
  Connect: ['client', 'webhooks', 'agents', 'openai'],
  Operate: ['operating', 'running', 'engines', 'storage', 'threat-model'],
  More: ['contract', 'changelog'],
} as const;

/** Guides whose file is in another place: that of the client is also its package's README. */
const ELSEWHERE: Record<string, string> = { client: 'packages/client/README.md' };
const NAMES = Object.fromEntries(Object.entries(ELSEWHERE).map(([name, path]) => [path, name]));
/** Pages for the parts of the reference, which is a single file in the repository. */
const REFERENCE: Record<string, string> = {
  '#errors': '/docs/errors#codes',
  '#messages-to-webhooks': '/docs/webhooks#messages',
};
/** Address of the deployment in the files; readers see that of their own. */
const EXAMPLE_URL = 'http://localhost:3000';

/** Returns the text of a guide, with the address of this deployment, and code that names models which it serves. */
export function readGuide(name: string): string {
  const file = join(/* turbopackIgnore: true */ process.cwd(), ELSEWHERE[name] ?? `docs/${name}.md`);
  const text = readFileSync(file, 'utf8');
  return (
    // the guide to engines speaks of the models in its example files, whoever serves them here
    (name === 'engines' ? text : withExampleModel(text, name))
      .replace('<!-- codes -->', errorSections)
      .replace('<!-- messages -->', messageSections)
      .replaceAll(EXAMPLE_URL, env().BASE_URL)
      // links to other files of the repository become plain names
      .replaceAll(/\[([^\]]+)\]\(\.\.\/(?:deploy\/)?[\w@.-]+(?<!\.md)\)/g, '$1')
      .replaceAll(/\]\((?:\.\.\/)*([\w/-]+\.md)(#[\w-]+)?\)/g, (_, path: string, anchor = '') => {
        const target = NAMES[path] ?? basename(path, '.md');
        return target === 'reference' ? `](${REFERENCE[anchor] ?? '/docs'})` : `](/docs/${target}${anchor})`;
      })
  );
}
