'use client';

import { CodeBlock } from '#components/ui/code-block';
import { Tabs } from '#components/ui/tabs';

export type SnippetFacts = {
  baseUrl: string;
  architecture: string;
  /** The ending of its files. */
  ending: string;
  /** Until one was just made, the snippets read it from the environment. */
  apiKey?: string | undefined;
};

/** A first request with the key, from submit to file, in three languages; each works as it stands. */
export function KeySnippets(facts: SnippetFacts) {
  return (
    <Tabs
      label="Language"
      tabs={[
        { value: 'curl', label: 'curl', content: <CodeBlock title="First request, in a shell" code={curl(facts)} /> },
        {
          value: 'ts',
          label: 'TypeScript',
          content: <CodeBlock title="First request, in TypeScript" code={typescript(facts)} />,
        },
        { value: 'py', label: 'Python', content: <CodeBlock title="First request, in Python" code={python(facts)} /> },
      ]}
    />
  );
}

const PROMPT = 'a lighthouse at dusk';

const curl = ({ baseUrl, architecture, apiKey }: SnippetFacts) => `curl ${baseUrl}/v1/${architecture}/generate \\
  -H "Authorization: Bearer ${apiKey ?? '$POMONA_KEY'}" \\
  -H "Content-Type: application/json" \\
  -d '{"prompt": "${PROMPT}"}'`;

const typescript = ({
  baseUrl,
  architecture,
  ending,
  apiKey,
}: SnippetFacts) => `import { writeFile } from 'node:fs/promises';

const key = ${apiKey ? `'${apiKey}'` : 'process.env.POMONA_KEY'};
const headers = { authorization: \`Bearer \${key}\`, 'content-type': 'application/json' };

async function call(path: string, body?: object) {
  const response = await fetch('${baseUrl}/v1' + path, {
    method: body ? 'POST' : 'GET',
    headers,
    body: body && JSON.stringify(body),
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.error.message);
  return answer;
}

let request = await call('/${architecture}/generate', { prompt: '${PROMPT}' });
while (['queued', 'in_progress'].includes(request.status)) {
  request = await call(\`/requests/\${request.request_id}/status?wait=60\`);
}
if (!request.result) throw new Error(request.error?.message ?? request.status);
const file = await fetch(request.result.url);
await writeFile('lighthouse.${ending}', Buffer.from(await file.arrayBuffer()));`;

const python = ({ baseUrl, architecture, ending, apiKey }: SnippetFacts) => `import json${apiKey ? '' : ', os'}
from urllib.request import Request, urlopen, urlretrieve

key = ${apiKey ? `"${apiKey}"` : 'os.environ["POMONA_KEY"]'}
headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}

def call(path, body=None):
    data = json.dumps(body).encode() if body else None
    return json.load(urlopen(Request("${baseUrl}/v1" + path, data, headers)))

request = call("/${architecture}/generate", {"prompt": "${PROMPT}"})
while request["status"] in ("queued", "in_progress"):
    request = call(f"/requests/{request['request_id']}/status?wait=60")
if not request["result"]:
    raise SystemExit(request["error"] or request["status"])
urlretrieve(request["result"]["url"], "lighthouse.${ending}")`;
