export interface Call {
  method: string;
  url: string;
  body?: unknown;
}

/** Returns an API call in three languages, ready to run with a key in POMONA_KEY. */
export const callCode = (call: Call) => [
  { value: 'curl', label: 'curl', code: curl(call) },
  { value: 'typescript', label: 'TypeScript', code: typescript(call) },
  { value: 'python', label: 'Python', code: python(call) },
];

export function curl({ method, url, body }: Call): string {
  const parts = [`curl ${method === 'GET' ? '' : `-X ${method} `}"${url}"`, `-H "Authorization: Bearer $POMONA_KEY"`];
  if (body !== undefined) {
    const json = JSON.stringify(body, null, 2).replaceAll("'", `'\\''`);
    parts.push(`-H "Content-Type: application/json"`, `-d '${json}'`);
  }
  return parts.join(' \\\n  ');
}

function typescript({ method, url, body }: Call): string {
  const json = body === undefined ? '' : `\n  body: JSON.stringify(${indent(JSON.stringify(body, null, 2), 2)}),`;
  const type = body === undefined ? '' : `, 'content-type': 'application/json'`;
  const verb = method === 'GET' ? '' : `\n  method: '${method}',`;
  return `const answer = await fetch('${url}', {${verb}
  headers: { authorization: \`Bearer \${process.env.POMONA_KEY}\`${type} },${json}
});
console.log(answer.status, await answer.text());`;
}

function python({ method, url, body }: Call): string {
  const data = body === undefined ? '' : `\n    data=json.dumps(${indent(pythonOf(body), 4)}).encode(),`;
  const type = body === undefined ? '' : `, "Content-Type": "application/json"`;
  return `import ${body === undefined ? '' : 'json, '}os, urllib.error, urllib.request

request = urllib.request.Request(
    "${url}",
    method="${method}",
    headers={"Authorization": f"Bearer {os.environ['POMONA_KEY']}"${type}},${data}
)
try:
    answer = urllib.request.urlopen(request)
except urllib.error.HTTPError as refusal:
    answer = refusal
print(answer.status, answer.read().decode())`;
}

/** Indents every line but the first. */
export const indent = (text: string, by: number): string => text.replaceAll('\n', `\n${' '.repeat(by)}`);

/** Returns JSON as a Python literal. Strings are the same in both. */
export const pythonOf = (value: unknown): string =>
  JSON.stringify(value, null, 4).replaceAll(/("(?:[^"\\]|\\.)*")|\b(true|false|null)\b/g, (all, text, word) =>
    text ? all : { true: 'True', false: 'False', null: 'None' }[word as 'true'],
  );
