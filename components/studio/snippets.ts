import type { Config } from '#components/studio/config';
import { curl, indent, pythonOf } from '#lib/docs/call-code';

export const LANGUAGES = [
  { value: 'curl', label: 'curl' },
  { value: 'typescript', label: 'TypeScript' },
  { value: 'python', label: 'Python' },
  { value: 'json', label: 'JSON' },
] as const;
type Language = (typeof LANGUAGES)[number]['value'];

interface Call {
  baseUrl: string;
  architecture: string;
  body: Config;
}

/** Returns the form's request as code. Each snippet runs as it is, given an API key. */
export const toSnippet = (language: Language, call: Call): string => WRITERS[language](call);

const WRITERS: Record<Language, (call: Call) => string> = {
  curl: ({ baseUrl, architecture, body }) =>
    curl({ method: 'POST', url: `${baseUrl}/v1/${architecture}/generate`, body }),

  typescript: ({ baseUrl, architecture, body }) => `const headers = {
  authorization: \`Bearer \${process.env.POMONA_KEY}\`,
  'content-type': 'application/json',
};

const answer = await fetch('${baseUrl}/v1/${architecture}/generate', {
  method: 'POST',
  headers: { ...headers, 'idempotency-key': crypto.randomUUID() },
  body: JSON.stringify(${indent(JSON.stringify(body, null, 2), 2)}),
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
    json=${indent(pythonOf(body), 4)},
)
request = answer.json()
if not answer.ok:
    raise SystemExit(request["error"]["message"])

while request["status"] in ("queued", "in_progress"):
    request = http.get(request["status_url"], params={"wait": 60}).json()
print(request["result"]["url"] if request["result"] else request["error"])`,

  json: ({ body }) => JSON.stringify(body, null, 2),
};
