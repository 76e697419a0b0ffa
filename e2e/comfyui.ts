import { startComfyui } from '#lib/engines/comfyui/comfyui-test-server';

// Runs a simulated ComfyUI as a separate process: node e2e/comfyui.ts PORT FILE…

const [port, ...files] = process.argv.slice(2);
const { url } = await startComfyui({ version: '0.38.1', port: Number(port), files });
console.log(`ComfyUI at ${url}`);
