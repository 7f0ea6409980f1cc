// What the page uses of others, by the names that it uses. rebuild.sh makes one file of it.
export { Component, createRef, render } from "preact";
export { useEffect, useMemo, useRef, useState } from "preact/hooks";
export { batch, computed, effect, signal, useComputed, useSignal, useSignalEffect } from "@preact/signals";
export { html } from "htm/preact";
export { default as uPlot } from "uplot";
