#!/bin/bash
# A cluster for one job on Slurm: `sbatch examples/cluster/slurm.sh match chess --player … --player …`.
# The environment is on a file system that all nodes see.
#SBATCH --job-name=evalsmith
#SBATCH --nodes=4
#SBATCH --exclusive
#SBATCH --ntasks-per-node=1
#SBATCH --time=12:00:00
#SBATCH --signal=B:INT@120
set -euo pipefail

venv=${EVALSMITH_VENV:-$HOME/evalsmith-venv}
port=$((20000 + SLURM_JOB_ID % 20000))
head=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)
address=$(srun --nodes=1 --ntasks=1 --nodelist="$head" hostname --ip-address | cut -d ' ' -f 1)

srun --nodes=1 --ntasks=1 --nodelist="$head" \
    "$venv/bin/ray" start --head --node-ip-address="$address" --port="$port" --block &
for _ in $(seq 60); do # until the head answers
    "$venv/bin/ray" status --address="$address:$port" > /dev/null 2>&1 && break
    sleep 2
done
if [ "$SLURM_JOB_NUM_NODES" -gt 1 ]; then
    srun --nodes=$((SLURM_JOB_NUM_NODES - 1)) --ntasks=$((SLURM_JOB_NUM_NODES - 1)) --exclude="$head" \
        "$venv/bin/ray" start --address="$address:$port" --block & # who comes later joins the work
fi

# Two minutes before the end Slurm sends an interrupt: running games are finished, and the next job resumes.
export RAY_ADDRESS="$address:$port"
set -m # without job control a shell hides interrupts from what runs beside it
"$venv/bin/evalsmith" "$@" --on ray &
driver=$!
set +m
trap 'kill -INT $driver; wait $driver' INT
wait $driver
