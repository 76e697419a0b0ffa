import { createHash, randomBytes } from 'node:crypto';
import type { APIRequestContext, APIResponse } from '@playwright/test';
import { openContext } from './api-context.ts';
import type { Member } from './member.ts';

export interface Tokens {
  access_token: string;
  refresh_token: string;
  scope: string;
  expires_in: number;
}

/** Permissions that a user grants to an app. */
interface Given {
  scopes: string[];
  monthly_budget?: number | null;
  expires_at?: string | null;
}

/** Changed parameters of the authorization request; undefined removes one. */
type Changes = Record<string, string | undefined>;

export const RETURN = 'http://127.0.0.1:43110/callback';
export const ALL = ['generate', 'read', 'cast', 'uploads', 'account'];

/** An app that asks for access through OAuth, one step at a time. */
export class App {
  readonly clientId: string;
  readonly #api: APIRequestContext;
  readonly #verifier = randomBytes(32).toString('base64url');

  private constructor(api: APIRequestContext, clientId: string) {
    this.#api = api;
    this.clientId = clientId;
  }

  static async register(baseURL: string, metadata: object = {}): Promise<App> {
    const api = await openContext({ baseURL });
    const answer = await register(api, metadata);
    const { client_id } = (await answer.json()) as { client_id?: string };
    if (!client_id) throw new Error(await answer.text());
    return new App(api, client_id);
  }

  /** Creates an app that is not registered: its client id is the URL of its metadata. */
  static async at(baseURL: string, address: string): Promise<App> {
    return new App(await openContext({ baseURL }), address);
  }

  /** Returns the authorization URL that the app sends a user's browser to. */
  question(changes: Changes = {}): string {
    const params = {
      response_type: 'code',
      client_id: this.clientId,
      redirect_uri: RETURN,
      state: 'a state',
      scope: ALL.join(' '),
      code_challenge: createHash('sha256').update(this.#verifier).digest('base64url'),
      code_challenge_method: 'S256',
      ...changes,
    };
    const given = Object.entries(params).filter((entry): entry is [string, string] => entry[1] !== undefined);
    return `/oauth/authorize?${new URLSearchParams(given).toString()}`;
  }

  /** Asks the user, who grants `given`, and returns the authorization code. */
  async code({ page }: Member, given: Given = { scopes: ALL }, changes: Changes = {}): Promise<string> {
    const consent = locationOf(await page.get(this.question(changes), { maxRedirects: 0 }));
    const answer = await page.post(`${consent}/answer`, { data: { given } });
    const { redirect_to } = (await answer.json()) as { redirect_to?: string };
    if (!redirect_to) throw new Error(await answer.text());
    const back = new URL(locationOf(await page.get(redirect_to, { maxRedirects: 0 })));
    return back.searchParams.get('code')!;
  }

  redeem(code: string, changes: Record<string, string> = {}): Promise<APIResponse> {
    const form = { code, redirect_uri: RETURN, client_id: this.clientId, code_verifier: this.#verifier, ...changes };
    return this.#api.post('/oauth/token', { form: { grant_type: 'authorization_code', ...form } });
  }

  refresh(refresh_token: string, changes: Record<string, string> = {}): Promise<APIResponse> {
    const form = { refresh_token, client_id: this.clientId, ...changes };
    return this.#api.post('/oauth/token', { form: { grant_type: 'refresh_token', ...form } });
  }

  revoke(token: string): Promise<APIResponse> {
    return this.#api.post('/oauth/revoke', { form: { token, client_id: this.clientId } });
  }

  /** Performs the whole flow and returns the tokens. */
  async connect(member: Member, given?: Given): Promise<Tokens> {
    const answer = await this.redeem(await this.code(member, given));
    return (await answer.json()) as Tokens;
  }
}

export const register = (api: APIRequestContext, metadata: object = {}): Promise<APIResponse> =>
  api.post('/oauth/register', { data: { client_name: 'Orchard Agent', redirect_uris: [RETURN], ...metadata } });

export const locationOf = (answer: APIResponse): string => answer.headers().location ?? `none, but ${answer.status()}`;
