import { everyMethod } from '#lib/http/methods';
import { notFound } from '#lib/http/not-found';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = everyMethod(notFound);
