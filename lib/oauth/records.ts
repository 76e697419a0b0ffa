import { errors, Provider, type Adapter, type AdapterPayload } from 'oidc-provider';
import { pool } from '#lib/db/client';
import { findFlaws } from '#lib/http/find-flaws';
import { canonical, resourceOf } from '#lib/oauth/resource';
import { hashSecret } from '#lib/secrets';

/** Stores the records of one model of the authorization server. Ids are hashed: the table contains no usable tokens. */
export class Records implements Adapter {
  readonly #model: string;

  constructor(model: string) {
    this.#model = model;
  }

  async upsert(id: string, { jti: _secret, ...payload }: AdapterPayload, seconds?: number): Promise<void> {
    const [flaw] = findFlaws(payload);
    if (flaw) throw new errors.InvalidRequest(flaw.message);
    await pool().query(
      `insert into oauth_records (model, hash, payload, key_id, expires_at)
      values ($1, $2, $3, $4, now() + $5 * interval '1 second')
      on conflict (model, hash) do update set payload = excluded.payload, expires_at = excluded.expires_at`,
      [this.#model, hashSecret(id), payload, payload.grantId ?? null, seconds ?? null],
    );
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    const { rows } = await pool().query<{ payload: AdapterPayload }>(
      'select payload from oauth_records where model = $1 and hash = $2 and (expires_at is null or expires_at > now())',
      [this.#model, hashSecret(id)],
    );
    const payload = rows[0]?.payload;
    return payload && (payload.kind ? { ...payload, jti: id } : payload);
  }

  /** Uses up a code or token. Of several concurrent attempts, one succeeds. */
  async consume(id: string): Promise<void> {
    requireResource(Provider.ctx?.oidc.params);
    const { rowCount } = await pool().query(
      `update oauth_records set payload = payload || jsonb_build_object('consumed', floor(extract(epoch from now())))
      where model = $1 and hash = $2 and not payload ? 'consumed'`,
      [this.#model, hashSecret(id)],
    );
    if (!rowCount) throw new errors.InvalidGrant('it was used already');
  }

  async destroy(id: string): Promise<void> {
    await pool().query('delete from oauth_records where model = $1 and hash = $2', [this.#model, hashSecret(id)]);
  }

  async revokeByGrantId(keyId: string): Promise<void> {
    await pool().query('delete from oauth_records where model = $1 and key_id = $2', [this.#model, keyId]);
  }

  // the library does not look these records up by uid or user code
  findByUid = async (): Promise<undefined> => undefined;
  findByUserCode = async (): Promise<undefined> => undefined;
}

/** Checks the resource before the code or token is used up. The library checks it afterwards, too late to retry. */
function requireResource(params: Record<string, unknown> = {}): void {
  const named = [params.resource ?? []].flat().map(one => canonical(String(one)));
  if (named.some(one => one !== resourceOf())) throw new errors.InvalidTarget();
  params.resource = resourceOf();
}
