import { z } from 'zod';
import * as shape from '#lib/contract/gem-schemas';
import { plain, type StudioOperation } from '#lib/contract/operation';
import { keyed, page } from '#lib/contract/values';

/** Operations on the balance, payments and usage of an account. */
export const gemOperations = {
  getGems: {
    ...plain,
    auth: 'session',
    method: 'GET',
    path: '/api/account/gems',
    summary: 'The balance, auto top-up, and how gems are paid for',
    responses: { 200: shape.gemsOverview },
    errors: [],
  },
  setAutoTopUp: {
    ...plain,
    auth: 'session',
    method: 'PUT',
    path: '/api/account/auto-top-up',
    summary: 'Switch auto top-up on or change it; null switches it off',
    body: z.object({ auto_top_up: shape.autoTopUp.nullable() }),
    responses: { 200: shape.gemsOverview },
    errors: ['invalid_request'],
  },
  topUp: {
    ...plain,
    auth: 'session',
    method: 'POST',
    path: '/api/account/top-ups',
    summary: 'Buy gems: booked at once, or paid at the address in the answer',
    headers: keyed,
    body: shape.topUp,
    responses: { 201: shape.openedTopUp },
    errors: ['invalid_request', 'forbidden', 'too_many_requests'],
  },
  listPayments: {
    ...plain,
    auth: 'session',
    method: 'GET',
    path: '/api/account/payments',
    summary: 'Payments of the account, newest first',
    query: page,
    responses: { 200: shape.paymentList },
    errors: ['invalid_request'],
  },
  getUsage: {
    ...plain,
    auth: 'session',
    method: 'GET',
    path: '/api/account/usage',
    summary: 'Requests and gems by day and architecture, optionally of one API key',
    query: z.object({ days: z.enum(['30', '90']).default('30'), key_id: z.uuid('the id of an API key').optional() }),
    responses: { 200: shape.usage },
    errors: ['invalid_request'],
  },
} as const satisfies Record<string, StudioOperation>;
