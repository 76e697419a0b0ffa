import { AppError } from '#lib/errors';
import { verifyApiKey, type Caller } from '#lib/accounts/api-keys';

export type { Caller };

/** Who asks: the holder of the API key in `Authorization: Bearer`. Throws `unauthorized`. */
export async function getCaller(request: Request): Promise<Caller> {
  const [scheme, token] = request.headers.get('authorization')?.trim().split(/\s+/) ?? [];
  const caller = scheme?.toLowerCase() === 'bearer' && token ? await verifyApiKey(token) : null;
  if (caller) return caller;
  throw new AppError('unauthorized', 'Send a valid API key in the header `Authorization: Bearer <API_KEY>`.');
}
