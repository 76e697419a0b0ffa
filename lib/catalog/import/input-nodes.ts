import type { GraphNode } from '#lib/engines/comfyui/workflow';

/** A class of nodes meant for external input, with the names of their inputs by purpose. */
interface InputNode {
  class: RegExp;
  value: string;
  name?: string;
  title?: string;
  description?: string;
  min?: string;
  max?: string;
}

/** Input nodes of known packs. The plain nodes of ComfyUI are named by their titles. */
const INPUT_NODES: InputNode[] = [
  { class: /^Primitive(Int|Float|String|StringMultiline|Boolean)$/, value: 'value' },
  {
    class: /^ComfyUIDeployExternal/,
    value: 'default_value',
    name: 'input_id',
    title: 'display_name',
    description: 'description',
    min: 'min_value',
    max: 'max_value',
  },
  {
    class: /^SwarmInput/,
    value: 'value',
    name: 'title',
    title: 'title',
    description: 'description',
    min: 'min',
    max: 'max',
  },
  { class: /^CPackInput/, value: 'value' },
  {
    class: /^ETN_(Int|Number|Text|Bool)?Parameter$/,
    value: 'default',
    name: 'name',
    title: 'name',
    min: 'min',
    max: 'max',
  },
  { class: /^easy (int|float|string|boolean)$/, value: 'value' },
  { class: /^(INTConstant|FloatConstant|StringConstant|StringConstantMultiline|BOOLConstant)$/, value: 'value' },
  { class: /^(Int|Float|String|Text|Boolean) ?(Literal|Input|Constant|Multiline)?$/i, value: 'value' },
];

/** Description that an input node gives of its value. */
export interface Said {
  /** Name of the input that holds the value. */
  input: string;
  name?: string;
  title?: string;
  description?: string;
  minimum?: number;
  maximum?: number;
}

/** Returns the description of the value that an input node of a known pack holds; null for every other node. */
export function inputNodeOf({ class_type, inputs }: GraphNode): Said | null {
  const known = INPUT_NODES.find(one => one.class.test(class_type) && Object.hasOwn(inputs, one.value));
  if (!known) return null;
  const text = (key: string | undefined) => (key && typeof inputs[key] === 'string' && inputs[key].trim()) || undefined;
  const number = (key: string | undefined) => (key && typeof inputs[key] === 'number' ? inputs[key] : undefined);
  const said = {
    name: text(known.name),
    title: text(known.title),
    description: text(known.description),
    minimum: number(known.min),
    maximum: number(known.max),
  };
  return { input: known.value, ...Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined)) };
}
