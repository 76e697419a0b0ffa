import {
  Client,
  StreamableHTTPClientTransport,
  UnauthorizedError,
  type OAuthClientProvider,
} from '@modelcontextprotocol/client';

/** Kinds of the protocol that clients use: `legacy` begins with a handshake, in the other each message stands alone. */
export const ERAS = ['legacy', 'auto'] as const;

interface AgentOptions {
  key?: string;
  era?: (typeof ERAS)[number];
}

/** Answer of a tool, with its structured data as `data`. */
export interface Answer {
  isError: boolean;
  data: any; // oxlint-disable-line typescript/no-explicit-any
  content: { type: string; text?: string; uri?: string; data?: string; mimeType?: string }[];
}

/** An agent of a user: the official MCP client, connected to a deployment. */
export class Agent {
  readonly client: Client;

  private constructor(client: Client) {
    this.client = client;
  }

  static async connect(baseURL: string, { key, era = 'auto' }: AgentOptions): Promise<Agent> {
    const client = new Client({ name: 'test agent', version: '1' }, { versionNegotiation: { mode: era } });
    const transport = new StreamableHTTPClientTransport(new URL('/mcp', baseURL), {
      ...(key !== undefined && { requestInit: { headers: { authorization: `Bearer ${key}` } } }),
    });
    await client.connect(transport);
    return new Agent(client);
  }

  /** Connects through OAuth: `authProvider` asks for consent, `back` returns the parameters of the redirect. */
  static async letIn(baseURL: string, authProvider: OAuthClientProvider, back: () => URLSearchParams): Promise<Agent> {
    const url = new URL('/mcp', baseURL);
    const first = new StreamableHTTPClientTransport(url, { authProvider });
    const refused = await new Client({ name: 'test agent', version: '1' })
      .connect(first)
      .catch((error: unknown) => error);
    if (!(refused instanceof UnauthorizedError)) throw refused;
    await first.finishAuth(back());
    const client = new Client({ name: 'test agent', version: '1' });
    await client.connect(new StreamableHTTPClientTransport(url, { authProvider }));
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
