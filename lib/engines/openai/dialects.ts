import type { OpenaiModel } from '#lib/engines/openai/options';
import type { MediaKind } from '#lib/media-kind';
import type { Parameters } from '#lib/engines/parameters';

/** Options of an entry of `serves`, without its architecture and variants. */
export type Suggestion = Omit<OpenaiModel, 'architecture' | 'model_ids'>;

interface Dialect {
  name: string;
  /** Whether a server that lists this model speaks the dialect. */
  speaks(model: { id: string; owned_by?: string | undefined }): boolean;
  suggestions: Partial<Record<MediaKind, Suggestion>>;
}

/** Sampler parameters as diffusion servers name them; fields that an architecture lacks are omitted. */
const KNOBS: Parameters = {
  seed: { from: 'seed' },
  negative_prompt: { from: 'config.negative_prompt' },
  num_inference_steps: { from: 'config.num_inference_steps' },
  guidance_scale: { from: 'config.guidance_scale' },
};
/** vLLM-Omni refuses more guidance for images and videos. */
const OMNI: Parameters = { ...KNOBS, guidance_scale: { from: 'config.guidance_scale', max: 20 } };
const FRAMES: Parameters = { fps: { from: 'output.fps' }, num_frames: { from: 'output.frames' } };

/** Deviations of known servers from the standard, as suggestions for a new entry. The first match is used. */
export const DIALECTS: Dialect[] = [
  {
    name: 'SGLang Diffusion',
    speaks: ({ owned_by }) => owned_by === 'sglang',
    suggestions: {
      image: { call: 'images', parameters: KNOBS },
      video: { call: 'videos', parameters: { ...KNOBS, ...FRAMES } },
    },
  },
  {
    name: 'vLLM-Omni',
    speaks: ({ owned_by }) => owned_by === 'vllm',
    suggestions: {
      image: { call: 'images', parameters: OMNI },
      video: { call: 'videos', body: 'form', parameters: { ...OMNI, ...FRAMES } },
      audio: { call: 'audio', parameters: KNOBS },
    },
  },
  {
    name: 'stable-diffusion.cpp',
    speaks: ({ id }) => id === 'sd-cpp-local',
    suggestions: {
      image: {
        call: 'images',
        sd_cpp_extra_args: {
          seed: { from: 'seed' },
          negative_prompt: { from: 'config.negative_prompt' },
          'sample_params.sample_steps': { from: 'config.num_inference_steps' },
          'sample_params.guidance.txt_cfg': { from: 'config.guidance_scale' },
        },
      },
    },
  },
  {
    name: 'OpenAI',
    // the list is in no order, and any of its models may come first
    speaks: ({ owned_by = '' }) => ['openai', 'openai-internal', 'system'].includes(owned_by),
    // its newer models always return base64 and reject `response_format`
    suggestions: {
      image: { call: 'images', parameters: { response_format: null } },
      video: { call: 'videos' },
      audio: { call: 'speech' },
    },
  },
  {
    name: 'LocalAI',
    // the only server that omits `owned_by`
    speaks: ({ owned_by }) => owned_by === undefined,
    suggestions: {
      image: {
        call: 'images',
        path: '/v1/images/generations',
        parameters: {
          seed: { from: 'seed', max: 2_147_483_647 },
          step: { from: 'config.num_inference_steps' },
          ref_images: { from: 'input.reference', list: true, as: 'base64' },
        },
      },
      video: {
        call: 'images',
        path: '/video',
        parameters: {
          // it accepts `size` but does not read it
          size: null,
          width: { from: 'output.width' },
          height: { from: 'output.height' },
          negative_prompt: { from: 'config.negative_prompt' },
          seed: { from: 'seed', max: 2_147_483_647 },
          step: { from: 'config.num_inference_steps' },
          cfg_scale: { from: 'config.guidance_scale' },
          ...FRAMES,
          start_image: { from: 'input.first_frame', as: 'base64' },
          end_image: { from: 'input.last_frame', as: 'base64' },
        },
      },
      audio: { call: 'speech' },
    },
  },
];
