import type { Adapter, AdapterPayload } from 'oidc-provider';
import { revokeApiKey } from '#lib/accounts/api-keys';
import { pool } from '#lib/db/client';
import { keyLives } from '#lib/db/live-key';
import { resourceOf } from '#lib/oauth/resource';
import { SCOPES, type Scope } from '#lib/scopes';

interface Row {
  accountId: string;
  clientId: string;
  scopes: Scope[] | null;
  iat: number;
}

/**
 * Stores grants as API keys whose secret is never given out, so that the key's scopes, budget, expiry and revocation
 * apply to the tokens of the grant.
 */
export class Grants implements Adapter {
  async find(keyId: string): Promise<AdapterPayload | undefined> {
    const row = await findRow(keyId);
    if (!row) return undefined;
    const { scopes, ...grant } = row;
    // scopes that the user did not grant count as rejected, so the library does not ask for them again
    const rejected = SCOPES.filter(scope => scopes && !scopes.includes(scope)).join(' ');
    const granted = (scopes ?? SCOPES).join(' ');
    return {
      ...grant,
      kind: 'Grant',
      jti: keyId,
      openid: { scope: `openid offline_access ${granted}` },
      resources: { [resourceOf()]: granted },
      rejected: { openid: { scope: rejected }, resources: { [resourceOf()]: rejected } },
    };
  }

  /** Revokes the key. Called when a code or token is used twice, which means that it was stolen. */
  async destroy(keyId: string): Promise<void> {
    const row = await findRow(keyId);
    if (row) await revokeApiKey(row.accountId, keyId);
  }

  async upsert(): Promise<void> {
    throw new Error('only a person makes a connection');
  }

  consume = (): Promise<void> => this.upsert();
  revokeByGrantId = (): Promise<void> => this.upsert();
  findByUid = async (): Promise<undefined> => undefined;
  findByUserCode = async (): Promise<undefined> => undefined;
}

/** Whether any user has granted this app access that is still valid. */
export async function isLetIn(clientId: string): Promise<boolean> {
  const { rows } = await pool().query(
    `select from api_keys where app->>'clientId' = $1 and app is not null and ${keyLives()} limit 1`,
    [clientId],
  );
  return rows.length > 0;
}

async function findRow(keyId: string): Promise<Row | undefined> {
  const { rows } = await pool().query<Row>(
    `select account_id as "accountId", app->>'clientId' as "clientId", scopes, floor(extract(epoch from created_at))::float8 as iat
    from api_keys where id = $1 and app is not null and ${keyLives()}`,
    [keyId],
  );
  return rows[0];
}
