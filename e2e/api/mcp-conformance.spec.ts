import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { expect, test } from '../fixtures.ts';

// Runs the official conformance suite of MCP against this server. The other scenarios need features that this server
// does not offer (resources, prompts, completion, logging, sampling, elicitation), or tools of the suite's own server.
const SCENARIOS = [
  'server-initialize',
  'ping',
  'tools-list',
  'tools-call-error',
  'dns-rebinding-protection',
  'server-sse-multiple-streams',
];
const SUITE = 'node_modules/@modelcontextprotocol/conformance/dist/index.js';

/** Starts a proxy that adds an API key, since the suite cannot; otherwise requests arrive as if sent directly. */
async function withKey(baseURL: string, key: string) {
  const target = new URL(baseURL);
  const server = createServer((asked, answer) => {
    const { port } = server.address() as AddressInfo;
    const straight = (value: string | undefined) => value?.replace(`:${port}`, `:${target.port}`);
    const { host, origin, ...rest } = asked.headers;
    const headers = {
      ...rest,
      host: straight(host),
      ...(origin && { origin: straight(origin) }),
      authorization: `Bearer ${key}`,
    };
    const { hostname } = target;
    const onward = request(
      { hostname, port: target.port, path: asked.url, method: asked.method, headers },
      answered => {
        answer.writeHead(answered.statusCode ?? 502, answered.headers);
        answered.pipe(answer);
      },
    );
    onward.on('error', () => answer.destroy());
    asked.pipe(onward);
  }).listen(0, target.hostname);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { url: `${target.protocol}//${target.hostname}:${port}/mcp`, close: () => server.close() };
}

test('the MCP conformance suite passes every applicable scenario', async ({ house, customer }) => {
  const { url, close } = await withKey(house.baseURL, customer.key);
  const run = (scenario: string) =>
    promisify(execFile)(process.execPath, [SUITE, 'server', '--url', url, '--scenario', scenario]).then(
      ({ stdout }) => /, (\d+) failed/.exec(stdout)?.[1],
      ({ stdout, stderr }: { stdout: string; stderr: string }) => stdout + stderr,
    );
  for (const scenario of SCENARIOS) expect.soft(await run(scenario), scenario).toBe('0');
  close();
});
