import type { SecretLink } from '#lib/accounts/secret-links';
import type { InviteWire } from '#lib/contract/admin-schemas';

/** Converts an invitation to its form in the API, without the token. */
export const inviteToWire = ({ id, email, createdAt, expiresAt, usedAt }: SecretLink): InviteWire => ({
  id,
  email,
  created_at: createdAt.toISOString(),
  expires_at: expiresAt.toISOString(),
  used_at: usedAt?.toISOString() ?? null,
});
