import { answer } from '#lib/http/answer';
import { methods } from '#lib/http/methods';
import { signInWithProvider } from '#lib/http/provider-sign-in';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: answer(signInWithProvider),
  POST: answer(signInWithProvider),
});
