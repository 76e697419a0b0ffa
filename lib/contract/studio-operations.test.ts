import { expect, test } from 'vitest';
import { studioOperations } from '#lib/contract/studio-operations';
import type { Operation } from '#lib/contract/operation';

const all = Object.entries<Operation>(studioOperations);
const withAuth = (auth: Operation['auth']) => all.flatMap(([id, one]) => (one.auth === auth ? [id] : []));

test('exactly the operations under /api/admin require an operator', () => {
  const admin = all.flatMap(([id, { path }]) => (path.startsWith('/api/admin/') ? [id] : []));
  expect(admin).toContain('grantGems');
  expect(withAuth('operator')).toEqual(admin);
});

test('exactly the operations that change how to sign in require a recent session', () => {
  expect(withAuth('recent session').toSorted()).toEqual([
    'addPasskey',
    'askEmailChange',
    'askForPasskey',
    'beginSecondStep',
    'confirmSecondStep',
    'removeSecondStep',
    'removeSignIn',
    'renewRecoveryCodes',
  ]);
});
