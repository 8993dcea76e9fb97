// A plain Texel tuner's gradient pass: float rows, tapered weights, threads. Compiled by bench_texel.py.
//
//     texel_tuner ROWS_FILE THREADS ROUNDS K
//
// The file: int64 rows, int64 entries, int64 features; int64 start[rows+1]; {int32 index, float value}[entries];
// float share of the endgame[rows]; float result[rows]; double weights[2][features]. Prints the fewest seconds of a
// pass by the clock and by the processor, the mean loss and a sum over the gradient.
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <thread>
#include <vector>

struct Entry { int32_t index; float value; };

template <class T> std::vector<T> read(FILE *file, size_t count) {
    std::vector<T> out(count);
    if (count && fread(out.data(), sizeof(T), count, file) != count) { fprintf(stderr, "the file is short\n"); exit(1); }
    return out;
}

struct Tuner {
    size_t rows, features;
    std::vector<int64_t> start;
    std::vector<Entry> entries;
    std::vector<float> share, result;
    std::vector<double> weights;
    double rate;

    double pass(size_t begin, size_t end, double *gradient) const {
        const double *mg = weights.data(), *eg = mg + features;
        double *gm = gradient, *ge = gradient + features, loss = 0;
        for (size_t i = begin; i < end; i++) {
            double m = 0, e = 0;
            for (int64_t j = start[i]; j < start[i + 1]; j++) {
                m += entries[j].value * mg[entries[j].index];
                e += entries[j].value * eg[entries[j].index];
            }
            double t = share[i], p = 1 / (1 + exp(-rate * ((1 - t) * m + t * e))), off = result[i] - p;
            loss += off * off;
            double slope = -2 * off * p * (1 - p) * rate, sm = slope * (1 - t), se = slope * t;
            for (int64_t j = start[i]; j < start[i + 1]; j++) {
                gm[entries[j].index] += sm * entries[j].value;
                ge[entries[j].index] += se * entries[j].value;
            }
        }
        return loss;
    }
};

int main(int count, char **given) {
    if (count != 5) { fprintf(stderr, "texel_tuner ROWS_FILE THREADS ROUNDS K\n"); return 2; }
    FILE *file = fopen(given[1], "rb");
    if (!file) { perror(given[1]); return 1; }
    int threads = atoi(given[2]), rounds = atoi(given[3]);
    Tuner tuner;
    std::vector<int64_t> sizes = read<int64_t>(file, 3);
    tuner.rows = sizes[0];
    tuner.features = sizes[2];
    tuner.start = read<int64_t>(file, tuner.rows + 1);
    tuner.entries = read<Entry>(file, sizes[1]);
    tuner.share = read<float>(file, tuner.rows);
    tuner.result = read<float>(file, tuner.rows);
    tuner.weights = read<double>(file, 2 * tuner.features);
    tuner.rate = atof(given[4]) * log(10.0) / 400;
    double best = 1e9, best_cpu = 1e9, loss = 0, check = 0;
    for (int round = 0; round < rounds; round++) {
        auto began = std::chrono::steady_clock::now();
        clock_t cpu = clock();
        std::vector<std::vector<double>> gradient(threads, std::vector<double>(2 * tuner.features));
        std::vector<double> losses(threads);
        std::vector<std::thread> pool;
        for (int t = 0; t < threads; t++)
            pool.emplace_back([&, t] {
                losses[t] = tuner.pass(tuner.rows * t / threads, tuner.rows * (t + 1) / threads, gradient[t].data());
            });
        for (auto &thread : pool) thread.join();
        loss = check = 0;
        for (int t = 0; t < threads; t++) {
            loss += losses[t];
            for (double g : gradient[t]) check += g;
        }
        std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
        best = std::min(best, took.count());
        best_cpu = std::min(best_cpu, double(clock() - cpu) / CLOCKS_PER_SEC);
    }
    printf("%.9f %.9f %.12f %.12g\n", best, best_cpu, loss / tuner.rows, check / tuner.rows);
}
