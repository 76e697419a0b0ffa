import { MobileNetV2MidModel } from 'nsfwjs/models/mobilenet_v2_mid';
import protobuf from 'protobufjs';

// nsfwjs ships its models for TensorFlow.js, whose WebAssembly backend takes five times as long as ONNX Runtime

interface TensorFlowNode {
  name: string;
  op: string;
  input?: string[];
  attr?: Record<string, { s?: string; list?: { i?: string[]; s?: string[] } }>;
}

/** A quantised tensor: each byte stands for itself times `scale`, plus `min`. */
interface Weight {
  name: string;
  shape: number[];
  quantization: { scale: number; min: number };
}

/** The subset of onnx.proto that is written here. */
const { root } = protobuf.parse(`
  syntax = "proto3";
  message Model { int64 ir_version = 1; Graph graph = 7; repeated Opset opset_import = 8; }
  message Opset { int64 version = 2; }
  message Graph {
    repeated Node node = 1; string name = 2; repeated Tensor initializer = 5; repeated Value input = 11; repeated Value output = 12;
  }
  message Node { repeated string input = 1; repeated string output = 2; string op_type = 4; repeated Attribute attribute = 5; }
  message Attribute { string name = 1; int64 i = 3; bytes s = 4; repeated int64 ints = 8; int32 type = 20; }
  message Tensor { repeated int64 dims = 1; int32 data_type = 2; repeated float float_data = 4; string name = 8; bytes raw_data = 9; }
  message Value { string name = 1; ValueType type = 2; }
  message ValueType { TensorType tensor_type = 1; }
  message TensorType { int32 elem_type = 1; Shape shape = 2; }
  message Shape { repeated Dimension dim = 1; }
  message Dimension { int64 dim_value = 1; }
`);
const FLOAT = 1;
const UINT8 = 2;

type Attribute = number | string | number[];

const step = (opType: string, input: string[], output: string, attributes: Record<string, Attribute> = {}) => ({
  opType,
  input,
  output: [output],
  attribute: Object.entries(attributes).map(([name, value]) => ({ name, ...attributeOf(value) })),
});

function attributeOf(value: Attribute) {
  if (typeof value === 'number') return { i: value, type: 2 };
  return typeof value === 'string' ? { s: Buffer.from(value), type: 3 } : { ints: value, type: 7 };
}

type Step = ReturnType<typeof step>;
type Translation = (node: TensorFlowNode, input: string[], shapes: ReadonlyMap<string, number[]>) => Step[];

const as =
  (opType: string): Translation =>
  ({ name }, input) => [step(opType, input, name)];

/** Translates a convolution. TensorFlow has channels last, ONNX first; `order` permutes the kernel's dimensions. */
const convolution =
  (order: number[], isDepthwise: boolean): Translation =>
  ({ name, attr }, [from, kernel, bias], shapes) => {
    const isCut = attr?.fused_ops?.list?.s?.map(textOf).includes('Relu6');
    const sum = isCut ? `${name}/sum` : name;
    const attributes = {
      strides: attr?.strides?.list?.i?.slice(1, 3).map(Number) ?? [],
      auto_pad: textOf(attr?.padding?.s) === 'SAME' ? 'SAME_UPPER' : 'VALID',
      ...(isDepthwise && { group: shapes.get(kernel!)![2]! }),
    };
    return [
      step('Transpose', [kernel!], `${kernel}/ordered`, { perm: order }),
      step('Conv', [from!, `${kernel}/ordered`, bias!], sum, attributes),
      ...(isCut ? [step('Clip', [sum, 'zero', 'six'], name)] : []),
    ];
  };

/** Translations to ONNX by TensorFlow operation, for the operations that the model uses. */
const TRANSLATIONS: Record<string, Translation> = {
  Placeholder: ({ name }) => [
    step('Cast', ['pixels'], 'bytes', { to: FLOAT }),
    step('Div', ['bytes', 'most'], 'parts'),
    step('Transpose', ['parts'], name, { perm: [0, 3, 1, 2] }),
  ],
  Mul: as('Mul'),
  Sub: as('Sub'),
  _FusedConv2D: convolution([3, 2, 0, 1], false),
  FusedDepthwiseConv2dNative: convolution([2, 3, 0, 1], true),
  AddV2: as('Add'),
  AvgPool: as('GlobalAveragePool'),
  Squeeze: as('Flatten'),
  _FusedMatMul: as('Gemm'),
  Softmax: as('Softmax'),
  Identity: (_, input) => [step('Identity', input, 'probabilities')],
};

const textOf = (base64 = ''): string => Buffer.from(base64, 'base64').toString();

/**
 * Returns the mid-sized model of nsfwjs in ONNX: from `pixels` (bytes of a square RGB image, [1, side, side, 3]) to
 * `probabilities` ([1, classes]). The small model and Inception mistake soft painted shapes for drawn nudity.
 */
export async function readNsfwModel(side: number, classes: number): Promise<Uint8Array> {
  const [{ default: json }, ...bundles] = await Promise.all([
    MobileNetV2MidModel.modelJson(),
    ...MobileNetV2MidModel.weightBundles.map(load => load()),
  ]);
  const bytes = Buffer.concat(bundles.map(bundle => Buffer.from(bundle.default, 'base64')));
  const nodes: TensorFlowNode[] = json.modelTopology.node.filter((node: TensorFlowNode) => node.op !== 'Const');
  const weights: Weight[] = json.weightsManifest.flatMap((group: { weights: Weight[] }) => group.weights);
  const shapes = new Map(weights.map(({ name, shape }) => [name, shape]));
  const graph = {
    name: 'nsfw',
    initializer: [constant('zero', 0), constant('six', 6), constant('most', 255), ...weightsOf(weights, bytes)],
    node: [
      ...weights.flatMap(({ name }) => [
        step('Cast', [`${name}/bytes`], `${name}/whole`, { to: FLOAT }),
        step('Mul', [`${name}/whole`, `${name}/scale`], `${name}/scaled`),
        step('Add', [`${name}/scaled`, `${name}/min`], name),
      ]),
      ...nodes.flatMap(node => translate(node, shapes)),
    ],
    input: [value('pixels', UINT8, [1, side, side, 3])],
    output: [value('probabilities', FLOAT, [1, classes])],
  };
  const model = { irVersion: 8, opsetImport: [{ version: 13 }], graph };
  return root.lookupType('Model').encode(model).finish();
}

function translate(node: TensorFlowNode, shapes: ReadonlyMap<string, number[]>): Step[] {
  const translation = TRANSLATIONS[node.op];
  if (!translation) throw new Error(`The model has a step that is not known here: ${node.op}`);
  return translation(node, node.input ?? [], shapes);
}

const constant = (name: string, number: number) => ({ name, dataType: FLOAT, floatData: [number] });

/** Returns the weights as bytes, with the constants that the graph dequantises them with. */
function weightsOf(weights: Weight[], bytes: Buffer) {
  let at = 0;
  return weights.flatMap(({ name, shape, quantization: { scale, min } }) => {
    const size = shape.reduce((product, side) => product * side, 1);
    const rawData = bytes.subarray(at, (at += size));
    const numbers = { name: `${name}/bytes`, dims: shape, dataType: UINT8, rawData };
    return [numbers, constant(`${name}/scale`, scale), constant(`${name}/min`, min)];
  });
}

const value = (name: string, elemType: number, dims: number[]) => ({
  name,
  type: { tensorType: { elemType, shape: { dim: dims.map(dimValue => ({ dimValue })) } } },
});
