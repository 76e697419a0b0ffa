import { randomUUID } from 'node:crypto';
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test as base } from './fixtures.ts';
import { createDatabase, enterHouse, pomona, startWeb, STARTING_MS, type House } from './house.ts';
import { startIdentityProvider, type IdentityProvider, type Person } from './identity-provider.ts';
import { newAddress } from './member.ts';
import { untilAnswers } from './process.ts';

/** A deployment whose users can sign in through an OpenID Connect provider. */
export type HouseWithProvider = House & { provider: IdentityProvider };

export const test = base.extend<object, { place: HouseWithProvider }>({
  place: [
    async ({}, use, { project }) => {
      const provider = await startIdentityProvider();
      const dataDir = String(process.env.E2E_DATA_DIR);
      const DATABASE_URL = await createDatabase();
      const env = {
        // a new database needs its own media folder
        DATA_DIR: await mkdtemp(join(dataDir, 'identity-')),
        DATABASE_URL,
        AUTH_OIDC_ISSUER: provider.issuer,
        AUTH_OIDC_ID: 'pomona',
        AUTH_OIDC_SECRET: 'provider-secret',
      };
      await pomona(['account', 'list'], env);
      const web = await startWeb(project.name === 'api-next' ? 'next' : 'server', env);
      await untilAnswers(`${web.baseURL}/v1/account`, web);
      const house = enterHouse(web.baseURL, DATABASE_URL);
      await use({ ...house, provider });
      await house.close();
      await web.stop();
      provider.close();
      // the logged errors must not contain the secret
      expect(web.output()).not.toContain('provider-secret');
    },
    { scope: 'worker', timeout: STARTING_MS },
  ],
});

export { expect };

export const someone = (): Person => ({ sub: randomUUID(), email: newAddress(), name: 'Ada' });
