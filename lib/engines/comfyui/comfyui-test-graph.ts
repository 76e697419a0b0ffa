import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { choicesOf, detailsOf, NodeInfos, type InputSpec } from '#lib/engines/comfyui/node-info';
import { linkOf, type Graph } from '#lib/engines/comfyui/workflow';

/** Returns the node classes of the test server, as a live server describes them, with these files installed. */
export function nodeInfos(files: string[]): NodeInfos {
  const known = NodeInfos.parse(
    JSON.parse(readFileSync(join(import.meta.dirname, 'node-info-test-data.json'), 'utf8')),
  );
  for (const { input } of Object.values(known))
    for (const inputs of [input.required, input.optional])
      for (const [name, spec] of Object.entries(inputs))
        if (isFileChoice(name, spec))
          inputs[name] = Array.isArray(spec[0]) ? [files, spec[1]] : [spec[0], { options: files }];
  return known;
}

const isFileChoice = (name: string, spec: InputSpec) =>
  /^(unet|ckpt|vae|lora|clip)_name\d?$/.test(name) && choicesOf(spec) !== null;

interface NodeError {
  type: string;
  message: string;
  details: string;
  extra_info: Record<string, unknown>;
}

/** Validates a graph as ComfyUI does before queueing. Returns null when it is valid, or the errors of the response. */
export function refuse(graph: Graph, infos: NodeInfos, uploads: Set<string>, version: string) {
  for (const [id, { class_type }] of Object.entries(graph)) {
    if (infos[class_type]) continue;
    const message = `Cannot execute because node ${class_type} does not exist.`;
    return { error: { type: 'invalid_prompt', message, details: `Node ID '#${id}'`, extra_info: {} }, node_errors: {} };
  }
  const outputs = Object.keys(graph).filter(id => infos[graph[id]!.class_type]!.output_node);
  if (!outputs.length)
    return {
      error: { type: 'prompt_no_outputs', message: 'Prompt has no outputs', details: '', extra_info: {} },
      node_errors: {},
    };
  const node_errors: Record<string, { errors: NodeError[]; class_type: string; dependent_outputs: string[] }> = {};
  const good = outputs.filter(output => {
    const needed = upstreamOf(graph, output);
    let fine = true;
    for (const id of needed) {
      const errors = errorsOf(graph, id, infos, uploads, version);
      if (!errors.length) continue;
      fine = false;
      (node_errors[id] ??= { errors, class_type: graph[id]!.class_type, dependent_outputs: [] }).dependent_outputs.push(
        output,
      );
    }
    return fine;
  });
  if (good.length) return Object.keys(node_errors).length ? { node_errors } : null;
  return {
    error: {
      type: 'prompt_outputs_failed_validation',
      message: 'Prompt outputs failed validation',
      details: '',
      extra_info: {},
    },
    node_errors,
  };
}

function upstreamOf(graph: Graph, id: string, seen = new Set<string>()): Set<string> {
  if (!graph[id] || seen.has(id)) return seen;
  seen.add(id);
  for (const value of Object.values(graph[id].inputs)) {
    const link = linkOf(value);
    if (link) upstreamOf(graph, link[0], seen);
  }
  return seen;
}

function errorsOf(graph: Graph, id: string, infos: NodeInfos, uploads: Set<string>, version: string): NodeError[] {
  const { class_type, inputs } = graph[id]!;
  const { input } = infos[class_type]!;
  return Object.entries({ ...input.required, ...input.optional }).flatMap(([name, spec]) => {
    const value = inputs[name];
    const error = (type: string, message: string, details: string) => [
      { type, message, details, extra_info: { input_name: name, received_value: value } },
    ];
    if (value === undefined)
      return Object.hasOwn(input.required, name)
        ? error('required_input_missing', 'Required input is missing', name)
        : [];
    const link = linkOf(value);
    if (link) {
      const given = infos[graph[link[0]]?.class_type ?? '']?.output[link[1]];
      const fits = given === spec[0] || given === '*' || spec[0] === '*';
      return fits
        ? []
        : error(
            'return_type_mismatch',
            'Return type mismatch between linked nodes',
            `${name}, received_type(${String(given)}) mismatch input_type(${String(spec[0])})`,
          );
    }
    const { image_upload, min, max } = detailsOf(spec);
    if (image_upload)
      return uploads.has(String(value))
        ? []
        : error(
            'custom_validation_failed',
            'Custom validation failed for node',
            `${name} - Invalid image file: ${String(value)}`,
          );
    // the older version did not validate choices given in the newer form
    const isChecked = Array.isArray(spec[0]) || version !== '0.3.64';
    if (isChecked && choicesOf(spec)?.includes(value as string) === false)
      return error('value_not_in_list', 'Value not in list', `${name}: '${String(value)}' not in list`);
    if (typeof max === 'number' && Number(value) > max)
      return error('value_bigger_than_max', `Value ${String(value)} bigger than max of ${max}`, name);
    if (typeof min === 'number' && Number(value) < min)
      return error('value_smaller_than_min', `Value ${String(value)} smaller than min of ${min}`, name);
    return [];
  });
}
