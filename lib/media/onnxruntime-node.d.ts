// this version has its types elsewhere; later ones fetch 300 MB for graphics cards from outside the package registry while they are installed
declare module 'onnxruntime-node' {
  export * from 'onnxruntime-common';
}
