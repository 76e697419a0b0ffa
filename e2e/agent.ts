import { Client, StreamableHTTPClientTransport, type AuthProvider } from '@modelcontextprotocol/client';

/** The revisions of the protocol that clients speak: with a handshake first, and every message for itself. */
export const ERAS = ['legacy', 'auto'] as const;

interface AgentOptions {
  key?: string;
  authProvider?: AuthProvider;
  era?: (typeof ERAS)[number];
}

/** What a tool answers, with its data at hand. */
export interface Answer {
  isError: boolean;
  data: any; // oxlint-disable-line typescript/no-explicit-any
  content: { type: string; text?: string; uri?: string; data?: string; mimeType?: string }[];
}

/** Someone's agent: the protocol's own client, connected to a deployment. */
export class Agent {
  readonly client: Client;

  private constructor(client: Client) {
    this.client = client;
  }

  static async connect(baseURL: string, { key, authProvider, era = 'auto' }: AgentOptions): Promise<Agent> {
    const client = new Client({ name: 'test agent', version: '1' }, { versionNegotiation: { mode: era } });
    const transport = new StreamableHTTPClientTransport(new URL('/mcp', baseURL), {
      ...(authProvider && { authProvider }),
      ...(key !== undefined && { requestInit: { headers: { authorization: `Bearer ${key}` } } }),
    });
    await client.connect(transport);
    return new Agent(client);
  }

  async call(name: string, args: object = {}, onprogress?: (progress: { message?: string }) => void): Promise<Answer> {
    const { structuredContent, content, isError } = await this.client.callTool(
      { name, arguments: { ...args } },
      { timeout: 130_000, ...(onprogress && { onprogress }) },
    );
    return { isError: isError === true, data: structuredContent, content };
  }
}
