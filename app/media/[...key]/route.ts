import { answer } from '#lib/http/answer';
import { methods } from '#lib/http/methods';
import { receiveUpload, unlessSigned } from '#lib/http/receive-upload';
import { serveMedia } from '#lib/http/serve-media';

const files = methods({ GET: answer(serveMedia), HEAD: answer(serveMedia), PUT: answer(receiveUpload) });

export const { GET, HEAD, PUT, OPTIONS } = files;
export const POST = unlessSigned(files.POST);
export const PATCH = unlessSigned(files.PATCH);
export const DELETE = unlessSigned(files.DELETE);
