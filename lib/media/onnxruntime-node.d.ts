// this version has no types; later ones download 300 MB of GPU libraries from outside the package registry on install
declare module 'onnxruntime-node' {
  export * from 'onnxruntime-common';
}
