import type { FileField } from '#lib/catalog/file-shape';

/** Default maximum length of a prompt, in characters. */
export const MOST_PROMPT = 100_000;

/**
 * Definitions of fields that architectures share, by name. A catalog file writes only its own members, which override
 * this table: `"duration": { "enum": ["5", "10"], "default": "5" }`, `"first_image": {}`.
 * `prompt`, `model_id` and `seed` belong to every architecture, even if its file does not name them.
 * Limits that no model publishes are our own, wide enough for every sensible value.
 */
export const COMMON_FIELDS: Record<string, FileField & Required<Pick<FileField, 'type' | 'description'>>> = {
  prompt: {
    type: 'string',
    minLength: 1,
    maxLength: MOST_PROMPT,
    pattern: '\\S',
    description: 'What to make.',
  },
  first_image: {
    type: 'string',
    media: 'image',
    role: 'first_frame',
    title: 'First frame',
    description: 'The image that the video starts on.',
  },
  last_image: {
    type: 'string',
    media: 'image',
    role: 'last_frame',
    title: 'Last frame',
    description: 'The image that the video ends on.',
  },
  image: {
    type: 'string',
    media: 'image',
    role: 'reference',
    title: 'Reference image',
    description: 'An image to work from; @image1 in the prompt.',
  },
  additional_images: {
    type: 'array',
    media: 'image',
    role: 'additional_references',
    title: 'More reference images',
    description: 'Further images to work from; @image2, @image3 and so on in the prompt.',
  },
  mask: {
    type: 'string',
    media: 'image',
    role: 'mask',
    description: 'Where the image is to change: an image of its size, white there and black where all stays.',
  },
  video: {
    type: 'string',
    media: 'video',
    role: 'source_video',
    title: 'Source video',
    description: 'The video to rework.',
  },
  videos: {
    type: 'array',
    media: 'video',
    role: 'source_video',
    title: 'Source video',
    maxItems: 1,
    description: 'The video to rework, as a list.',
  },
  model_id: { type: 'string', title: 'Variant', description: 'The variant of this architecture.' },
  aspect_ratio: { type: 'string', role: 'aspect_ratio', description: 'Shape of the output, width to height.' },
  resolution: { type: 'string', role: 'resolution', description: 'Size of the output; upper and lower case matter.' },
  duration: { type: 'string', role: 'duration', description: 'Length in seconds, as a string.' },
  use_character_voices: {
    type: 'boolean',
    role: 'character_voices',
    title: 'Character voices',
    description: 'Let mentioned characters speak with their saved voices.',
  },
  audio: { type: 'boolean', role: 'sound', title: 'Audio', description: 'Make the video with audio.' },
  generate_audio: { type: 'boolean', role: 'sound', title: 'Audio', description: 'Make the video with audio.' },
  negative_prompt: { type: 'string', maxLength: 10_000, description: 'What to keep out of the output.' },
  prompt_extend: {
    type: 'boolean',
    title: 'Extend prompt',
    description: 'Let the model write the prompt out in more detail.',
  },
  num_inference_steps: {
    type: 'number',
    minimum: 1,
    maximum: 100,
    multipleOf: 1,
    title: 'Steps',
    description: 'Sampling steps: more take longer and add detail.',
  },
  guidance_scale: {
    type: 'number',
    minimum: 0,
    maximum: 30,
    title: 'Guidance',
    description: 'How closely the output keeps to the prompt.',
  },
  sample_rate: {
    type: 'number',
    role: 'sample_rate',
    description: 'Sample rate in hertz; between those that MP3 has, the file takes the next higher one.',
  },
  seed: {
    type: 'integer',
    nullable: true,
    minimum: 0,
    maximum: 4_294_967_295,
    description: 'The same config and seed give the same output; leave it out for a random one.',
  },
};
