import { expect, test } from 'vitest';
import { studioOperations } from '#lib/contract/studio-operations';
import type { Operation } from '#lib/contract/operation';

const all = Object.entries<Operation>(studioOperations);
const withAuth = (auth: Operation['auth']) => all.flatMap(([id, one]) => (one.auth === auth ? [id] : []));

test('whatever is under /api/admin is for operators, and nothing else is', () => {
  const admin = all.flatMap(([id, { path }]) => (path.startsWith('/api/admin/') ? [id] : []));
  expect(admin).toContain('grantGems');
  expect(withAuth('operator')).toEqual(admin);
});

test('the ways into an account are changed by whoever has just shown who they are', () => {
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
