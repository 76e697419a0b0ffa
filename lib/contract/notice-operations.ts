import * as shape from '#lib/contract/notice-schemas';
import { plain, type StudioOperation } from '#lib/contract/operation';

/** Operations on the notices of an account. */
export const noticeOperations = {
  getNotices: {
    ...plain,
    auth: 'session',
    method: 'GET',
    path: '/api/account/notices',
    summary: 'Notices of the account, newest first, and its notice settings',
    responses: { 200: shape.notices },
    errors: [],
  },
  setNotices: {
    ...plain,
    auth: 'session',
    method: 'PUT',
    path: '/api/account/notices',
    summary: 'Choose which notices to receive, and how',
    body: shape.noticeSettings,
    responses: { 200: shape.notices },
    errors: ['invalid_request'],
  },
  seeNotices: {
    ...plain,
    auth: 'session',
    method: 'POST',
    path: '/api/account/notices/seen',
    summary: 'Mark notices as seen, up to the newest one shown',
    body: shape.seenNotices,
    responses: { 204: null },
    errors: ['invalid_request'],
  },
} as const satisfies Record<string, StudioOperation>;
