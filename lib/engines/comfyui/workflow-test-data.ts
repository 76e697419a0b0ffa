import type { Graph } from '#lib/engines/comfyui/workflow';

/** A portrait graph. Prompt, negative prompt, seed, steps, guidance, size and grain are worth exposing. */
export const PORTRAIT: Graph = {
  '1': { class_type: 'CheckpointLoaderSimple', inputs: { ckpt_name: 'portrait.safetensors' } },
  '2': { class_type: 'CLIPTextEncode', inputs: { text: 'a portrait', clip: ['1', 1] } },
  '3': { class_type: 'CLIPTextEncode', inputs: { text: 'blurry', clip: ['1', 1] } },
  '4': { class_type: 'EmptyLatentImage', inputs: { width: 768, height: 1024, batch_size: 1 } },
  '5': {
    class_type: 'KSampler',
    inputs: {
      model: ['1', 0],
      positive: ['2', 0],
      negative: ['3', 0],
      latent_image: ['4', 0],
      seed: 5,
      steps: 24,
      cfg: 6.5,
      sampler_name: 'euler',
      scheduler: 'normal',
      denoise: 1,
    },
  },
  '6': { class_type: 'VAEDecode', inputs: { samples: ['5', 0], vae: ['1', 2] } },
  '7': { class_type: 'PrimitiveFloat', inputs: { value: 0.2 }, _meta: { title: '@grain' } },
  '8': { class_type: 'SaveImage', inputs: { images: ['6', 0], filename_prefix: 'portrait' } },
};
