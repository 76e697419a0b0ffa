import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A call that the fake Stripe received. */
interface StripeCall {
  path: string;
  key: string | undefined;
  fields: Record<string, string>;
}

/** A local fake of the Stripe API: answers the calls that Pomona makes, with the outcome set by `mood`. */
export class FakeStripe {
  readonly calls: StripeCall[] = [];
  /**
   * `silent`: executes the call, then closes the connection without a response. `drops`: closes the connection on
   * charges. `busy`: another attempt is in progress. `asks`: the bank wants a confirmation. `debits`: the bank takes
   * days. `refuses`: the amount is too small.
   */
  mood: 'pays' | 'declines' | 'silent' | 'drops' | 'busy' | 'asks' | 'debits' | 'refuses' = 'pays';
  /** Customers that were deleted, or belong to another Stripe account. */
  readonly unknownCustomers = new Set<string>();
  /** Checkout sessions that were created, by id. */
  readonly sessions = new Map<string, Record<string, unknown>>();
  private readonly sessionKeys = new Map<string, string>();
  /** Payment intents that were created, by idempotency key. */
  readonly intents = new Map<string, Record<string, unknown>>();
  /** Payment method of the first attempt at each charge, by idempotency key. */
  private readonly methods = new Map<string, string>();
  readonly server: Server;

  constructor() {
    this.server = createServer(async (incoming, outgoing) => {
      let text = '';
      for await (const chunk of incoming) text += String(chunk);
      const path = String(incoming.url).split('?')[0] ?? '';
      const key = incoming.headers['idempotency-key']?.toString();
      const fields = Object.fromEntries(new URLSearchParams(text));
      this.calls.push({ path, key, fields });
      const isRead = incoming.method === 'GET';
      const { status = 200, body } = isRead ? this.read(path) : this.answer(path, String(key), fields);
      if (body === null) return void incoming.socket.destroy();
      outgoing.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    });
  }

  async start(): Promise<string> {
    await new Promise<void>(done => this.server.listen(0, '127.0.0.1', done));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  /** Forgets the idempotency keys, as Stripe does after a day. */
  forgetKeys(): void {
    this.sessionKeys.clear();
  }

  of(path: string): StripeCall[] {
    return this.calls.filter(call => call.path === path);
  }

  private answer(path: string, key: string, fields: Record<string, string>): { status?: number; body: object | null } {
    if (this.unknownCustomers.has(fields.customer ?? '')) {
      const error = { type: 'invalid_request_error', code: 'resource_missing', param: 'customer' };
      return { status: 404, body: { error: { ...error, message: `No such customer: '${fields.customer}'` } } };
    }
    if (path === '/v1/customers') return { body: { id: `cus_${key}`, object: 'customer' } };
    if (path === '/v1/checkout/sessions') return this.openSession(key);
    if (path === '/v1/payment_intents') return this.payIntent(key, fields);
    return nothingAt(path);
  }

  private read(path: string): { status?: number; body: object | null } {
    if (path.startsWith('/v1/checkout/sessions/')) return { body: this.sessions.get(path.split('/')[4]!) ?? null };
    if (path.startsWith('/v1/payment_methods/')) {
      return { body: { id: path.split('/')[3], type: 'card', card: { brand: 'visa', last4: '4242' } } };
    }
    if (path.startsWith('/v1/payment_intents/')) {
      return { body: this.intents.get(path.split('/')[3]!.replace('pi_', '')) ?? null };
    }
    if (path === '/v1/payment_intents') {
      return { body: { object: 'list', has_more: false, data: [...this.intents.values()], url: path } };
    }
    return nothingAt(path);
  }

  private openSession(key: string): { status?: number; body: object | null } {
    if (this.mood === 'refuses') {
      const error = { type: 'invalid_request_error', message: 'The amount must be at least 50 cents.' };
      return { status: 400, body: { error } };
    }
    const id = this.sessionKeys.get(key) ?? `cs_${this.sessions.size}_${key}`;
    this.sessionKeys.set(key, id);
    const session = this.sessions.get(id) ?? {
      id,
      object: 'checkout.session',
      status: 'open',
      url: `https://checkout.stripe.example/${id}`,
    };
    this.sessions.set(id, session);
    return { body: this.mood === 'silent' ? null : session };
  }

  private payIntent(key: string, fields: Record<string, string>): { status?: number; body: object | null } {
    const method = this.methods.get(key) ?? fields.payment_method!;
    this.methods.set(key, method);
    if (method !== fields.payment_method) {
      const message =
        'Keys for idempotent requests can only be used with the same parameters they were first used with.';
      return { status: 400, body: { error: { type: 'idempotency_error', message } } };
    }
    if (this.mood === 'drops') return { body: null };
    if (this.mood === 'busy') {
      const message = 'There is currently another in-progress request using this Idempotency-Key.';
      return { status: 409, body: { error: { type: 'idempotency_error', code: 'idempotency_key_in_use', message } } };
    }
    if (this.mood === 'declines') {
      const error = { type: 'card_error', code: 'card_declined', message: 'Your card was declined.' };
      return { status: 402, body: { error: { ...error, payment_intent: { id: `pi_${key}` } } } };
    }
    const status = { asks: 'requires_action', debits: 'processing' }[this.mood as string] ?? 'succeeded';
    const intent = this.intents.get(key) ?? {
      id: `pi_${key}`,
      object: 'payment_intent',
      status,
      amount: Number(fields.amount),
      metadata: { payment_id: key },
    };
    this.intents.set(key, intent);
    return { body: this.mood === 'silent' ? null : intent };
  }
}

const nothingAt = (path: string) => ({
  status: 404,
  body: { error: { type: 'invalid_request_error', message: `nothing at ${path}` } },
});
