import { z } from 'zod';
import { whole } from '#lib/contract/values';
import { readForm } from '#lib/openai-api/read-form';
import { parsePart } from '#lib/http/parse-part';
import { isForm, readJson } from '#lib/http/read-json';
import { QUALITIES } from '#lib/openai-api/to-config';

const model = z.string('the id of a model').min(1).nullish();
const prompt = z.string();
const file = z.string();
/** Number that may be sent as text: every value of a form is text. */
const numeric = (schema: z.ZodNumber) =>
  z.preprocess(sent => (typeof sent === 'string' && sent.trim() ? Number(sent) : sent), schema).nullish();

const size = z
  .string('auto, or width and height such as 1024x1536')
  .regex(/^(auto|[1-9]\d{1,4}x[1-9]\d{1,4})$/, 'auto, or width and height such as 1024x1536')
  .transform(text => (text === 'auto' ? undefined : text))
  .nullish();

const image = {
  model,
  prompt,
  n: numeric(z.number('a whole number from 1 to 10').int().min(1).max(10)),
  size,
  quality: z.enum(QUALITIES).nullish(),
  response_format: z.enum(['url', 'b64_json']).nullish(),
  output_format: z.literal('png').nullish(),
  stream: z.union([z.literal(false), z.literal('false')], 'false: images come whole').nullish(),
};

export const newImage = z.looseObject(image);
const IMAGES = 'one image, or up to 16';
const REFERENCES = 'a list of 1 to 16 images, each as {image_url}';
const reference = z
  .object({
    image_url: z.string('a URL or a data URL'),
    file_id: z.undefined('left out: no files are kept here; send image_url, a URL or a data URL').optional(),
  })
  .transform(({ image_url }) => image_url);

export const newEdit = z
  .looseObject({
    ...image,
    image: z.union([file, z.array(file, IMAGES).min(1).max(16)], IMAGES).nullish(),
    /** What JSON bodies of the OpenAI API have instead of `image`. */
    images: z.array(reference, REFERENCES).min(1, REFERENCES).max(16, REFERENCES).nullish(),
    mask: z.undefined('left out: masks are taken at /v1 alone, by the models that have mask_input').optional(),
    markup: z.undefined('left out: there is no such input here; draw the marks on the image itself').optional(),
  })
  .refine(({ image, images }) => !image !== !images, {
    path: ['image'],
    error: `${IMAGES}, unless images has them`,
  });

export const newVideo = z.looseObject({
  model,
  prompt,
  size,
  seconds: numeric(z.number('a number of seconds').positive('a number of seconds')),
  input_reference: z
    .union([file, z.object({ image_url: file }).transform(({ image_url }) => image_url)], 'an image, or {image_url}')
    .nullish(),
});

export const newSpeech = z.looseObject({
  model,
  input: z.string(),
  /** Handle of a character with a voice, or of an audio reference; other names are ignored. */
  voice: z.union([z.string(), z.object({ id: z.string() }).transform(({ id }) => id)], 'a name, or {id}').nullish(),
  speed: z.number().min(0.25, 'from 0.25 to 4').max(4, 'from 0.25 to 4').nullish(),
  response_format: z.literal('mp3', 'mp3, the only format there is').nullish(),
  stream_format: z.literal('audio').nullish(),
});

export const videoPage = z.object({
  limit: whole(1, 100).default(20),
  after: z.uuid('the id of a video').optional(),
  order: z.literal('desc', 'desc: the newest come first').optional(),
});

/** Reads a JSON body, or a form with its files as data URLs. Throws `invalid_request`. */
export async function readBody<S extends z.ZodType>(request: Request, schema: S): Promise<z.output<S>> {
  const sent = isForm(request.headers.get('content-type'))
    ? await readForm(request)
    : await readJson(request, 'invalid_request');
  return parsePart({ invalid: 'invalid_request' }, 'body', schema, sent);
}
