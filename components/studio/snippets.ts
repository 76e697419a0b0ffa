import type { Config } from '#components/studio/config';

export const LANGUAGES = [
  { value: 'curl', label: 'curl' },
  { value: 'typescript', label: 'TypeScript' },
  { value: 'python', label: 'Python' },
  { value: 'json', label: 'JSON' },
] as const;
export type Language = (typeof LANGUAGES)[number]['value'];

interface Call {
  baseUrl: string;
  architecture: string;
  body: Config;
}

/** The request that the form makes, in other words. Each runs as it stands, given a key. */
export const toSnippet = (language: Language, call: Call): string => WRITERS[language](call);

const WRITERS: Record<Language, (call: Call) => string> = {
  curl: ({ baseUrl, architecture, body }) =>
    [
      `curl -X POST ${baseUrl}/v1/${architecture}/generate \\`,
      `  -H "Authorization: Bearer $POMONA_KEY" \\`,
      `  -H "Content-Type: application/json" \\`,
      `  -d '${JSON.stringify(body, null, 2).replaceAll("'", `'\\''`)}'`,
    ].join('\n'),

  typescript: ({ baseUrl, architecture, body }) => `const headers = {
  authorization: \`Bearer \${process.env.POMONA_KEY}\`,
  'content-type': 'application/json',
};

const answer = await fetch('${baseUrl}/v1/${architecture}/generate', {
  method: 'POST',
  headers: { ...headers, 'idempotency-key': crypto.randomUUID() },
  body: JSON.stringify(${indented(JSON.stringify(body, null, 2), 2)}),
});
let request = await answer.json();
if (!answer.ok) throw new Error(request.error.message);

while (request.status === 'queued' || request.status === 'in_progress') {
  request = await (await fetch(\`\${request.status_url}?wait=60\`, { headers })).json();
}
console.log(request.result?.url ?? request.error);`,

  python: ({ baseUrl, architecture, body }) => `import os, uuid, requests

http = requests.Session()
http.headers["Authorization"] = f"Bearer {os.environ['POMONA_KEY']}"

answer = http.post(
    "${baseUrl}/v1/${architecture}/generate",
    headers={"Idempotency-Key": str(uuid.uuid4())},
    json=${indented(toPython(body), 4)},
)
request = answer.json()
if not answer.ok:
    raise SystemExit(request["error"]["message"])

while request["status"] in ("queued", "in_progress"):
    request = http.get(request["status_url"], params={"wait": 60}).json()
print(request["result"]["url"] if request["result"] else request["error"])`,

  json: ({ body }) => JSON.stringify(body, null, 2),
};

const indented = (text: string, by: number) => text.replaceAll('\n', `\n${' '.repeat(by)}`);

function toPython(value: unknown, depth = 1): string {
  const space = '    '.repeat(depth);
  const end = '    '.repeat(depth - 1);
  if (value === true) return 'True';
  if (value === false) return 'False';
  if (value === null || value === undefined) return 'None';
  if (Array.isArray(value)) return `[${value.map(item => toPython(item, depth + 1)).join(', ')}]`;
  if (typeof value !== 'object') return JSON.stringify(value);
  const members = Object.entries(value).map(
    ([name, item]) => `${space}${JSON.stringify(name)}: ${toPython(item, depth + 1)},`,
  );
  return `{\n${members.join('\n')}\n${end}}`;
}
