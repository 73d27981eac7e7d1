// Search where the site is opened from a folder: browsers start no worker there, so its script runs in a hidden frame.

if (location.protocol === "file:") {
  class FrameWorker extends EventTarget {
    /** @param {string | URL} url */
    constructor(url) {
      super();
      this.waiting = []; // messages until the script has been read
      this.frame = Object.assign(document.createElement("iframe"), { hidden: true });
      document.body.append(this.frame);
      const inner = this.frame.contentWindow;
      inner.postMessage = (data) => this.answer(data);
      inner.importScripts = (...urls) => urls.reduce((before, one) => before.then(() => this.load(one)), Promise.resolve());
      this.load(url).then(() => {
        this.ready = true;
        this.waiting.splice(0).forEach((data) => this.postMessage(data));
      });
    }

    /** @param {string | URL} url */
    load(url) {
      const script = Object.assign(this.frame.contentDocument.createElement("script"), { src: String(url) });
      return new Promise((resolve, reject) => {
        script.addEventListener("load", resolve);
        script.addEventListener("error", reject);
        this.frame.contentDocument.body.append(script);
      });
    }

    /** @param {unknown} data */
    answer(data) {
      const event = new MessageEvent("message", { data });
      this.onmessage?.(event);
      this.dispatchEvent(event);
    }

    /** @param {unknown} data */
    postMessage(data) {
      if (!this.ready) return this.waiting.push(data);
      const { MessageEvent: Message } = this.frame.contentWindow;
      this.frame.contentWindow.dispatchEvent(new Message("message", { data }));
    }

    terminate() {
      this.frame.remove();
    }
  }
  window.IFrameWorker = window.Worker = FrameWorker;
}
