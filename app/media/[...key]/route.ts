import { answer } from '#lib/http/answer';
import { methods } from '#lib/http/methods';
import { receiveUpload } from '#lib/http/receive-upload';
import { serveMedia } from '#lib/http/serve-media';

export const { GET, HEAD, PUT, POST, PATCH, DELETE, OPTIONS } = methods({
  GET: answer(serveMedia),
  HEAD: answer(serveMedia),
  PUT: answer(receiveUpload),
});
