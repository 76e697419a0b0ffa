import { mediaHandler } from '#lib/http/media-handler';
import { methods } from '#lib/http/methods';
import { receiveUpload } from '#lib/http/receive-upload';
import { serveMedia } from '#lib/http/serve-media';

export const { GET, HEAD, PUT, POST, PATCH, DELETE, OPTIONS } = methods({
  GET: mediaHandler(serveMedia),
  HEAD: mediaHandler(serveMedia),
  PUT: mediaHandler(receiveUpload),
});
