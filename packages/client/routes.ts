import type { Operations } from './wire.ts';

/** Where each operation is. The compiler holds it against the contract, word for word. */
export const routes: { [K in keyof Operations]: Operations[K]['route'] } = {
  generate: 'POST /v1/{architecture}/generate',
  estimate: 'POST /v1/{architecture}/estimate',
  listArchitectures: 'GET /v1/architectures',
  listRequests: 'GET /v1/requests',
  getRequest: 'GET /v1/requests/{request_id}',
  deleteRequest: 'DELETE /v1/requests/{request_id}',
  setFavourite: 'PUT /v1/requests/{request_id}/favourite',
  unsetFavourite: 'DELETE /v1/requests/{request_id}/favourite',
  getRequestStatus: 'GET /v1/requests/{request_id}/status',
  cancelRequest: 'POST /v1/requests/{request_id}/cancel',
  getAccount: 'GET /v1/account',
  listLedger: 'GET /v1/account/ledger',
  listUploads: 'GET /v1/uploads',
  createUpload: 'POST /v1/uploads',
  deleteUpload: 'DELETE /v1/uploads/{upload_id}',
  listCharacters: 'GET /v1/characters',
  createCharacter: 'POST /v1/characters',
  getCharacter: 'GET /v1/characters/{character_id}',
  deleteCharacter: 'DELETE /v1/characters/{character_id}',
  listReferences: 'GET /v1/references',
  createReference: 'POST /v1/references',
  getReference: 'GET /v1/references/{reference_id}',
  deleteReference: 'DELETE /v1/references/{reference_id}',
};
