import '#lib/contract/without-eval';
import { z } from 'zod';
import { ABOUT_LENGTH, CAST_NAME_LENGTH, CLIP_SECONDS, MORE_IMAGES, VOICE_SECONDS } from '#lib/contract/cast-limits';
import { HANDLE, HANDLE_LETTERS, HANDLE_RULE } from '#lib/contract/handle-rule';
import { added, listOf, smallForms, timestamp } from '#lib/contract/schemas';
import { DECLARED_TYPES } from '#lib/contract/upload-types';
import { text, uuid } from '#lib/contract/values';

// Uploads, characters and references, as bodies and answers.

export const handle = z
  .string(HANDLE_RULE)
  .regex(HANDLE, HANDLE_RULE)
  // a pattern that also Go, Rust and Python can compile
  .meta({ description: `${HANDLE_RULE}. Mention it in a prompt as @handle`, pattern: `^${HANDLE_LETTERS}$` });

const IMAGE_RULE = 'an https URL, an upload URL or a data URL of a JPEG, PNG, WebP, AVIF or GIF';
const CLIP_RULE = 'an https URL, an upload URL or a data URL of an MP3 or WAV';
const image = z.string(IMAGE_RULE).min(1, IMAGE_RULE).meta({ description: IMAGE_RULE });
const clip = z.string(CLIP_RULE).min(1, CLIP_RULE);

export const referenceKind = z.enum(['object', 'location', 'pose', 'outfit', 'audio']);

/** A rule between `kind` and the files. `when` lets it run beside other problems, so that all are reported together. */
const whenKindIsKnown = (member: string, error: string) => ({
  path: [member],
  error,
  when: ({ value }: { value: unknown }) => kinded.safeParse(value).success,
});
const kinded = z.object({ kind: referenceKind });

const members = {
  name: text(1, CAST_NAME_LENGTH),
  handle: handle.nullish().meta({ description: 'Derived from the name by default' }),
  description: text(0, ABOUT_LENGTH).nullish(),
};

const FILE_NAME_RULE = 'text of 1 to 255 characters without line breaks or other control characters';
const fileName = text(1, 255).regex(/^\P{Cc}*$/u, FILE_NAME_RULE);

export const newUpload = z
  .object({
    content_type: z.enum(DECLARED_TYPES),
    file_name: fileName.nullish().meta({ description: 'Kept and shown; not part of the file address' }),
  })
  .meta({ id: 'UploadRequest' });

const additionalImages = z
  .array(image)
  .max(MORE_IMAGES, `at most ${MORE_IMAGES} images beside the portrait`)
  .meta({ description: 'More images of the same character; a model uses as many as it has room for' });

export const newCharacter = z
  .object({
    ...members,
    image,
    additional_images: additionalImages.nullish(),
    voice: clip.nullish().meta({ description: `${CLIP_RULE}; trimmed to ${VOICE_SECONDS} seconds and normalized` }),
  })
  .meta({ id: 'CreateCharacterRequest' });

const kept = (what: string) =>
  z.never(`left out: a ${what} cannot be changed`).optional().meta({ description: 'It cannot be changed' });

/** Left-out members stay as they are. */
const changed = {
  name: members.name.optional(),
  description: members.description,
  handle: kept('handle'),
};

export const patchCharacter = z
  .object({
    ...changed,
    image: image.optional(),
    additional_images: additionalImages.optional().meta({
      description: 'All images besides the portrait, in order; to keep an existing one, send its address',
    }),
    voice: clip.nullish().meta({ description: `${CLIP_RULE}; null takes the voice away` }),
  })
  .meta({ id: 'CharacterChange' });

export const patchReference = z
  .object({ ...changed, kind: kept('kind'), image: image.optional(), audio: clip.optional() })
  .meta({ id: 'ReferenceChange' });

export const newReference = z
  .object({
    ...members,
    kind: referenceKind,
    image: image.nullish().meta({ description: `${IMAGE_RULE}; for every kind but audio` }),
    audio: clip
      .nullish()
      .meta({ description: `${CLIP_RULE}, for kind audio; trimmed to ${CLIP_SECONDS} seconds and normalized` }),
  })
  .refine(
    ({ kind, image }) => kind === 'audio' || image,
    whenKindIsKnown('image', `${IMAGE_RULE}, for every kind but audio`),
  )
  .refine(({ kind, audio }) => kind !== 'audio' || audio, whenKindIsKnown('audio', `${CLIP_RULE}, for kind audio`))
  .refine(
    ({ kind, image }) => kind !== 'audio' || !image,
    whenKindIsKnown('image', 'left out: kind audio has an audio file only'),
  )
  .refine(
    ({ kind, audio }) => kind === 'audio' || !audio,
    whenKindIsKnown('audio', 'left out: only kind audio has an audio file'),
  )
  .meta({ id: 'CreateReferenceRequest' });

export const uploadTicket = z
  .object({
    id: added(uuid),
    upload_url: z.url().meta({ description: 'Signed address for one PUT of the file' }),
    method: z.literal('PUT'),
    headers: z.record(z.string(), z.string()).meta({ description: 'The PUT must carry exactly these headers' }),
    url: z.url().meta({ description: 'Address of the file once the PUT has succeeded, for any media field' }),
    content_type: z.string(),
    max_bytes: z.int(),
    upload_url_expires_at: timestamp,
    url_expires_at: timestamp,
  })
  .meta({ id: 'UploadTicket' });

export const upload = z
  .object({
    id: uuid,
    status: z.enum(['pending', 'ready']).meta({ description: 'pending until the signed PUT has succeeded' }),
    url: z.url(),
    content_type: z.string(),
    file_name: z.string().nullable(),
    bytes: z.int().nullable(),
    ...smallForms,
    created_at: timestamp,
    url_expires_at: timestamp,
  })
  .meta({ id: 'Upload' });

const { preview_url, renditions } = smallForms;
const picture = z.object({
  url: z.url(),
  width: z.int().min(1),
  height: z.int().min(1),
  bytes: z.int().min(1),
  preview_url,
  renditions,
});

export const character = z
  .object({
    id: uuid,
    handle,
    name: z.string(),
    description: z.string().nullable(),
    image_url: z.url(),
    additional_image_urls: added(z.array(z.url())),
    pictures: added(z.array(picture)).meta({
      description: 'The same images, the portrait first, with their sizes and smaller forms',
    }),
    voice_url: z.url().nullable(),
    visibility: z.enum(['private', 'public']),
    created_at: timestamp,
  })
  .meta({ id: 'Character' });

export const reference = z
  .object({
    id: uuid,
    handle,
    name: z.string(),
    kind: referenceKind,
    description: z.string().nullable(),
    image_url: z.url().nullable(),
    audio_url: z.url().nullable(),
    picture: added(picture.nullable()).meta({ description: 'The same image with its size and smaller forms' }),
    created_at: timestamp,
  })
  .meta({ id: 'Reference' });

export const uploadList = listOf(upload, 'UploadList');
export const characterList = listOf(character, 'CharacterList');
export const referenceList = listOf(reference, 'ReferenceList');

export type NewCharacter = z.output<typeof newCharacter>;
export type NewReference = z.output<typeof newReference>;
export type CharacterChange = z.output<typeof patchCharacter>;
export type ReferenceChange = z.output<typeof patchReference>;
export type ReferenceKind = z.output<typeof referenceKind>;
export type CharacterWire = z.infer<typeof character>;
export type ReferenceWire = z.infer<typeof reference>;
export type PictureWire = z.infer<typeof picture>;
export type UploadTicketWire = z.infer<typeof uploadTicket>;
export type UploadWire = z.infer<typeof upload>;
