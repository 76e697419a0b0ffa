import { expect, type APIRequestContext, type APIResponse } from '@playwright/test';
import type { z } from 'zod';
import type { AccountWire, ListWire, RequestWire, requestDetail } from '#lib/contract/schemas';
import { isLive } from '#lib/status';

/** The quickest generation: five seconds of audio for 19 gems. */
export const QUICK = { architecture: 'seed_audio', body: { prompt: 'soft rain on a tin roof' }, gems: 19 } as const;

interface SubmitOptions {
  architecture?: string;
  body?: object;
  headers?: Record<string, string>;
}

interface Refusal {
  code: string;
  message: string;
  request_id?: string;
  gems_required?: number;
  docs_url?: string;
  issues?: { path: string; message: string }[];
}

interface CustomerFacts {
  api: APIRequestContext;
  accountId: string;
  email: string;
  key: string;
  keyId: string;
}

/** A client with an account and an API key. */
export class Customer {
  readonly api: APIRequestContext;
  readonly accountId: string;
  readonly email: string;
  readonly key: string;
  readonly keyId: string;

  constructor({ api, accountId, email, key, keyId }: CustomerFacts) {
    this.api = api;
    this.accountId = accountId;
    this.email = email;
    this.key = key;
    this.keyId = keyId;
  }

  /** Submits a generation and returns the response, whatever its status. */
  post(options: SubmitOptions = {}): Promise<APIResponse> {
    const { architecture = QUICK.architecture, body = QUICK.body, headers = {} } = options;
    return this.api.post(`/v1/${architecture}/generate`, { data: body, headers });
  }

  /** Submits a generation, which must be accepted. */
  async submit(options: SubmitOptions = {}): Promise<RequestWire> {
    const response = await this.post(options);
    expect(response.status(), await response.text()).toBe(202);
    return await response.json();
  }

  /** Waits with long polls until the request is final. */
  async finish({ request_id }: { request_id: string }): Promise<RequestWire> {
    for (;;) {
      const state = await this.status(request_id, '?wait=20');
      if (!isLive(state.status)) return state;
    }
  }

  /** Submits and waits; the request must complete. */
  async generate(options: SubmitOptions = {}): Promise<RequestWire & { result: NonNullable<RequestWire['result']> }> {
    const final = await this.finish(await this.submit(options));
    expect(final).toMatchObject({ status: 'completed', error: null });
    if (!final.result) throw new Error('a completed request has no result');
    return { ...final, result: final.result };
  }

  async status(id: string, query = ''): Promise<RequestWire> {
    return this.get(`/v1/requests/${id}/status${query}`);
  }

  async detail(id: string): Promise<z.infer<typeof requestDetail>> {
    return this.get(`/v1/requests/${id}`);
  }

  async list(query = ''): Promise<ListWire<RequestWire>> {
    return this.get(`/v1/requests${query}`);
  }

  async balance(): Promise<number> {
    const { gems } = await this.get<AccountWire>('/v1/account');
    return gems.balance;
  }

  cancel(id: string): Promise<APIResponse> {
    return this.api.post(`/v1/requests/${id}/cancel`);
  }

  private async get<T>(path: string): Promise<T> {
    const response = await this.api.get(path);
    expect(response.status(), await response.text()).toBe(200);
    return await response.json();
  }
}

/** Checks that a response is a refusal in the error envelope and returns its `error`. */
export async function refusal(response: APIResponse, status: number, code: string): Promise<Refusal> {
  const text = await response.text();
  expect(response.status(), text).toBe(status);
  expect(response.headers()['content-type']).toBe('application/json; charset=utf-8');
  expect(response.headers()['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  expect(response.headers()['cache-control']).toBe('no-store');
  const body = JSON.parse(text);
  expect(Object.keys(body)).toEqual(['error']);
  expect(body.error).toMatchObject({ code, message: expect.stringMatching(/^\S.+[.]$/s) });
  if (status === 400)
    expect(body.error.issues).toContainEqual({ path: expect.any(String), message: expect.any(String) });
  return body.error;
}
