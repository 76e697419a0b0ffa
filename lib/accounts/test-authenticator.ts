import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { isoCBOR } from '@simplewebauthn/server/helpers';

const sha256 = (data: string | Buffer): Buffer => createHash('sha256').update(data).digest();
const base64url = (data: Uint8Array | string): string => Buffer.from(data).toString('base64url');

const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const HAS_KEY = 0x40;

interface Circumstances {
  /** Origin of the site in the browser. */
  origin?: string;
  /** Whether the user unlocked the authenticator. */
  verified?: boolean;
}

/** A fake authenticator with its browser and one passkey for a site: creates the passkey and signs with it. */
export class TestAuthenticator {
  readonly id = randomBytes(16);
  /** User id that the site gave when the passkey was created. */
  userHandle: string | undefined;
  count = 0;
  /** Whether signatures are counted; synchronised passkeys do not count them. */
  counts = true;
  private readonly keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  private readonly site: URL;

  constructor(site: string) {
    this.site = new URL(site);
  }

  create({ challenge, user }: { challenge: string; user: { id: string } }, circumstances: Circumstances = {}) {
    this.userHandle = user.id;
    const { x = '', y = '' } = this.keys.publicKey.export({ format: 'jwk' });
    // an EC2 key for ES256 in COSE format
    const key = new Map<number, number | Uint8Array>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, Uint8Array.from(Buffer.from(x, 'base64url'))],
      [-3, Uint8Array.from(Buffer.from(y, 'base64url'))],
    ]);
    const length = Buffer.from([0, this.id.length]);
    const authData = Buffer.concat([
      this.data(HAS_KEY, circumstances),
      Buffer.alloc(16),
      length,
      this.id,
      isoCBOR.encode(key),
    ]);
    const attestation = new Map<string, unknown>([
      ['fmt', 'none'],
      ['attStmt', new Map()],
      ['authData', Uint8Array.from(authData)],
    ]);
    const response = {
      clientDataJSON: this.clientData('webauthn.create', challenge, circumstances),
      attestationObject: base64url(isoCBOR.encode(attestation as never)),
      transports: ['internal' as const],
    };
    return { ...this.credential(), response };
  }

  get({ challenge }: { challenge: string }, circumstances: Circumstances = {}) {
    if (this.counts) this.count += 1;
    const clientDataJSON = this.clientData('webauthn.get', challenge, circumstances);
    const authenticatorData = this.data(0, circumstances);
    const signed = Buffer.concat([authenticatorData, sha256(Buffer.from(clientDataJSON, 'base64url'))]);
    const response = {
      clientDataJSON,
      authenticatorData: base64url(authenticatorData),
      signature: base64url(sign('sha256', signed, this.keys.privateKey)),
      ...(this.userHandle !== undefined && { userHandle: this.userHandle }),
    };
    return { ...this.credential(), response };
  }

  private credential() {
    const id = base64url(this.id);
    return { id, rawId: id, type: 'public-key' as const, clientExtensionResults: {} };
  }

  private clientData(type: string, challenge: string, { origin = this.site.origin }: Circumstances): string {
    return base64url(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  }

  private data(more: number, { verified = true }: Circumstances): Buffer {
    const rest = Buffer.alloc(5);
    rest.writeUInt8(USER_PRESENT | (verified ? USER_VERIFIED : 0) | more);
    rest.writeUInt32BE(this.count, 1);
    return Buffer.concat([sha256(this.site.hostname), rest]);
  }
}
